// Values that callers bind to the names in statements on the lake, in those that read and in those that write.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WriteLake } from "../../../support/node/lake/write-lake.ts";
import { parametersOf } from "../../../support/node/sources/conformance/asking.ts";
import {
  echoOf,
  STATEMENTS_OF_TEXTS,
} from "../../../support/node/sources/conformance/parameters/hostile-parameters.ts";
import {
  EDGED_TYPES,
  hostileTexts,
  MEANT,
  typedValues,
} from "../../../support/node/sources/conformance/parameters/hostile-values.ts";

let lake: WriteLake;
beforeAll(async () => {
  lake = await WriteLake.open();
  await lake.ask(
    "CREATE TABLE t (id BIGINT, day DATE, at TIMESTAMP, amount DECIMAL(18, 4), word VARCHAR, is_new BOOLEAN)",
  );
});
afterAll(() => lake.close());

const rows = (sql: string, raw: Record<string, unknown>) => lake.rows(sql, { parameters: parametersOf(raw) });
const write = (sql: string, raw: Record<string, unknown>) => lake.ask(sql, { parameters: parametersOf(raw) });

describe("parameters on the lake", () => {
  it("are data, whatever they look like, when they are read and when they are written", async () => {
    await lake.ask("CREATE TABLE texts (n BIGINT, word VARCHAR)");
    const all = hostileTexts(STATEMENTS_OF_TEXTS);
    for (const [s, texts] of all.entries()) {
      const { sql, raw } = echoOf("text", texts);
      expect((await rows(sql, raw)).map((row) => Object.values(row))).toEqual([texts]);
      await write(`INSERT INTO texts VALUES ${texts.map((_, i) => `(${s * 1000 + i}, $p${i})`).join(", ")}`, raw);
    }
    const kept = await lake.rows("SELECT word FROM texts ORDER BY n");
    expect(kept.map(({ word }) => word)).toEqual(all.flat());
  }, 180_000);

  it.each(EDGED_TYPES)("are what was sent where they are of the type %s", async (type) => {
    const values = typedValues(type);
    const { sql, raw } = echoOf(type, values);
    const [row] = await lake.rows(sql, { parameters: parametersOf(raw), numbers: "string" });
    expect(Object.values(row!).map((cell) => MEANT[type](Object.is(cell, -0) ? "-0" : String(cell)))).toEqual(
      values.map(MEANT[type]),
    );
  });

  it("are texts of any length and character, lists with NULL among them", async () => {
    const long = "\u00e9'".repeat(200_000);
    const words = { type: "text", value: ["a\0b", null, long] };
    expect(await rows("SELECT [$words] AS words, $nul AS nul", { words, nul: "\0" })).toEqual([
      { words: ["a\0b", null, long], nul: "\0" },
    ]);
  });

  it("are decimals with all their digits in one list, whatever each of them has", async () => {
    const sent = { list: { type: "decimal", value: ["2", "1.60", null, "-0.005"] } };
    const sql = "SELECT [$list]::VARCHAR AS list, greatest($list)::VARCHAR AS most";
    expect(await rows(sql, sent)).toEqual([{ list: "[2.000, 1.600, NULL, -0.005]", most: "2.000" }]);
  });

  it("are named in an error where they are not what their place needs", async () => {
    await expect(rows("SELECT 1 = $id AS a", { id: "not a number" })).rejects.toMatchObject({
      code: "sql_error",
      message: expect.stringContaining("(The value of $id.)"),
    });
  });

  it("are written by each kind of statement, as the types of the columns", async () => {
    const day = { type: "date", value: "2026-01-31" };
    const at = { type: "timestamp", value: "2026-01-31 10:00:00.25" };
    const amount = { type: "decimal", value: "12.3400" };
    await write("INSERT INTO t VALUES ($id, $day, $at, $amount, $word, $is)", {
      id: 1,
      day,
      at,
      amount,
      word: "it's",
      is: true,
    });
    await write("INSERT INTO t (id, word, day) SELECT $id, $word, $day", { id: 2, word: "b", day: "2026-02-01" });
    await write("WITH x AS (SELECT $id AS id) INSERT INTO t (id) SELECT id FROM x", { id: 3 });
    expect(
      await write("UPDATE t SET word = $word, amount = amount + $more WHERE id = $id", {
        id: 1,
        word: "$word",
        more: 1,
      }),
    ).toContain('"count":1');
    await write(
      "MERGE INTO t USING (SELECT $id AS id, $word AS word) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET word = s.word || $end WHEN NOT MATCHED THEN INSERT (id, word) VALUES (s.id, s.word)",
      { id: 2, word: "c", end: "!" },
    );
    await write("DELETE FROM t WHERE id IN ($ids)", { ids: [3, 4] });
    await write("CREATE TABLE made AS SELECT $n AS n, word FROM t WHERE id = $id", {
      n: { type: "integer", value: "9007199254740993" },
      id: 2,
    });
    expect(await lake.rows("SELECT * FROM t ORDER BY id")).toEqual([
      { id: 1, day: "2026-01-31", at: "2026-01-31T10:00:00.25", amount: 13.34, word: "$word", is_new: true },
      { id: 2, day: "2026-02-01", at: null, amount: null, word: "c!", is_new: null },
    ]);
    expect(await lake.ask("SELECT * FROM made")).toContain('"n":9007199254740993,"word":"c!"');
  });

  it("are compared as what they are said to be, also by LIMIT and in an explanation", async () => {
    expect(await rows("SELECT id FROM t WHERE day = $day", { day: { type: "date", value: "2026-01-31" } })).toEqual([
      { id: 1 },
    ]);
    expect(await rows("SELECT id FROM t WHERE amount = $a", { a: { type: "decimal", value: "13.34" } })).toEqual([
      { id: 1 },
    ]);
    expect(await rows("SELECT id FROM t ORDER BY id LIMIT $n OFFSET $m", { n: 1, m: 1 })).toEqual([{ id: 2 }]);
    expect(
      await rows("SELECT id FROM t WHERE id NOT IN ($none) ORDER BY id", { none: { type: "integer", value: [] } }),
    ).toHaveLength(2);
    expect(
      await rows("SELECT $a AS a, $b AS b", {
        a: null,
        b: { type: "timestamptz", value: "2026-01-31T12:00:00+02:00" },
      }),
    ).toEqual([{ a: null, b: "2026-01-31T10:00:00Z" }]);
    expect(await rows("SELECT list_contains([$ids], 2) AS has", { ids: [1, 2] })).toEqual([{ has: true }]);
    expect(JSON.stringify(await rows("EXPLAIN SELECT * FROM t WHERE id = $id", { id: 1 }))).toContain("Filters: id=1");
  });

  it("leave an error where it is in the text that was sent", async () => {
    const sql = "SELECT $a, $b, nothing_here FROM t";
    await expect(rows(sql, { a: 1, b: "x" })).rejects.toMatchObject({ code: "sql_error" });
    await expect(rows("SELECT $a WHERE $missing = 1", { a: 1 })).rejects.toMatchObject({ position: 17 });
  });
});
