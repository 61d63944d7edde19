// Values that callers bind to the names in a statement: each is data, whatever it looks like.

import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { BoundParameter } from "../../../../../kernel/wire/parameters.ts";
import { readParameter } from "../../../../../src/core/parameters.ts";
import { askBound } from "./asking.ts";
import type { SourceUnderTest, TestTable } from "./source-under-test.ts";

const TABLE: TestTable = {
  name: "parameters",
  columns: { id: "bigint", t: "text", d: "date", ts: "timestamp", n: "decimal", f: "double" },
  key: ["id"],
};
const ROWS = [
  ["1", "it's", "2026-01-31", "2026-01-31 10:00:00.25", "1.5000", "0.25"],
  ["2", "$t", "2026-02-01", "2026-02-01 00:00:00", "-2.2500", "-1.5"],
  ["9007199254740993", "", "1999-12-31", "1999-12-31 23:59:59.999999", "0.0001", "1e+100"],
  ["4", null, null, null, null, null],
];

const HOSTILE = [
  "'; DROP TABLE parameters; --",
  "' OR '1'='1",
  "\\' OR 1=1 --",
  "$t",
  "$1",
  "?",
  "@p1",
  "%s%n",
  "*/ SELECT 1 /*",
  "\u{1f600} é \u202e",
  "NULL",
  "null",
  "true",
  "0x27",
  "CAST(1 AS INT)",
  "\t\r\n ",
  '`"[]{}',
  "$$a$$",
  "E'\\x27'",
  "\u2019",
  "1e309",
];

const CONTROL = /(?![\t\n\r\u0080-\u009f])\p{Cc}/u;

/** Texts that every database holds; some take no character that is a code of control. */
const aText = fc
  .oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc
      .array(fc.constantFrom("'", '"', "`", "\\", "$", "$t", "$$", "--", "/*", "*/", ";", "?", "@p1", "\n", " ", "x"), {
        maxLength: 30,
      })
      .map((parts) => parts.join("")),
  )
  .filter((text) => !CONTROL.test(text) && text.isWellFormed());

export const TEXTS_PER_STATEMENT = 100;
/** Statements' worth of texts, the same in each run. */
export const hostileTexts = (statements: number): string[][] =>
  fc.sample(fc.array(aText, { minLength: TEXTS_PER_STATEMENT, maxLength: TEXTS_PER_STATEMENT }), {
    numRuns: statements,
    seed: 25,
  });

/** As the Worker reads what a request sends. */
export const parametersOf = (raw: Record<string, unknown>): Record<string, BoundParameter> =>
  Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      const read = readParameter(value);
      if ("flaw" in read) throw new Error(`${name}: ${read.flaw.message}`);
      return [name, read.parameter];
    }),
  );

const STATEMENTS = 15;

export function describeParameters(place: () => SourceUnderTest): void {
  describe("parameters", () => {
    beforeAll(async () => {
      await place().create(TABLE);
      await place().insert(TABLE, ROWS);
    });

    const idsWhere = async (condition: string, raw: Record<string, unknown>): Promise<(string | null)[]> => {
      const sql = `SELECT id FROM ${place().table(TABLE.name)} WHERE ${condition} ORDER BY id`;
      return (await askBound(place().source, sql, parametersOf(raw))).rows.map(([id]) => id!);
    };

    it("are data, whatever they look like", async () => {
      for (const texts of hostileTexts(STATEMENTS)) {
        const names = texts.map((_, i) => `p${i}`);
        const sql = `SELECT ${names.map((name, i) => `$${name} AS c${i}`).join(", ")}`;
        const raw = Object.fromEntries(names.map((name, i) => [name, { type: "text", value: texts[i] }]));
        expect((await askBound(place().source, sql, parametersOf(raw))).rows).toEqual([texts]);
      }
    }, 120_000);

    it("are compared as what they are said to be", async () => {
      const { source, table } = place();
      expect(await idsWhere("t = $t", { t: "it's" })).toEqual(["1"]);
      expect(await idsWhere("t = $t", { t: { type: "text", value: "$t" } })).toEqual(["2"]);
      expect(await idsWhere("id = $id", { id: 2 })).toEqual(["2"]);
      expect(await idsWhere("id >= $id", { id: { type: "integer", value: "9007199254740993" } })).toEqual([
        "9007199254740993",
      ]);
      expect(await idsWhere("d = $day", { day: { type: "date", value: "2026-02-01" } })).toEqual(["2"]);
      const moment = { type: "timestamp", value: "2026-01-31T10:00:00.25" };
      expect(await idsWhere("ts = $moment", { moment })).toEqual(["1"]);
      expect(await idsWhere("n = $n", { n: { type: "decimal", value: "-2.25" } })).toEqual(["2"]);
      expect(await idsWhere("f = $f AND n > $n", { f: 0.25, n: 1 })).toEqual(["1"]);
      expect(await idsWhere("f < $f", { f: { type: "number", value: 0 } })).toEqual(["2"]);
      expect(await idsWhere("$is = $is AND id = 4", { is: true })).toEqual(["4"]);
      expect(await idsWhere("t = $t", { t: null })).toEqual([]);
      const none = await askBound(
        source,
        `SELECT $a AS a, $b AS b FROM ${table(TABLE.name)} WHERE id = 1`,
        parametersOf({ a: { type: "date", value: null }, b: { type: "decimal", value: null } }),
      );
      expect(none.rows).toEqual([[null, null]]);
    });

    it("are lists where a list is", async () => {
      expect(await idsWhere("id IN ($ids)", { ids: [1, 4, 5] })).toEqual(["1", "4"]);
      expect(await idsWhere("t NOT IN ($texts)", { texts: ["it's", "no"] })).toEqual(["2", "9007199254740993"]);
      const days = { type: "date", value: ["2026-01-31", "2026-02-01"] };
      expect(await idsWhere("d IN ($days) AND id IN ($ids)", { days, ids: [2, 4] })).toEqual(["2"]);
      expect(await idsWhere("id IN ($ids)", { ids: { type: "integer", value: [] } })).toEqual([]);
      expect(await idsWhere("id NOT IN ($ids)", { ids: { type: "integer", value: [] } })).toHaveLength(4);
    });

    it("have no name within quotes and comments", async () => {
      const sql = "SELECT '$no' AS a, $yes AS b /* $no */ -- $no\n, $yes AS c";
      const { rows } = await askBound(place().source, sql, parametersOf({ yes: { type: "text", value: "x" } }));
      expect(rows).toEqual([["$no", "x", "x"]]);
    });

    it("are each asked for by name", async () => {
      const asking = askBound(place().source, "SELECT $one AS a, $two AS b", parametersOf({ one: 1, three: 3 }));
      await expect(asking).rejects.toMatchObject({
        code: "statement_refused",
        message:
          "The statement has no value for $two: send it in parameters. The statement does not name $three, which " +
          "parameters has.",
        position: 19,
      });
    });
  });
}
