import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../../containers/engine/core/failure.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";

let lake: WriteLake;
beforeAll(async () => void (lake = await WriteLake.open({ writeMb: 8 })));
afterAll(() => lake.close());

const table = async (name: string) =>
  lake.ask(`CREATE OR REPLACE TABLE ${name} AS SELECT range::INTEGER AS id FROM range(10)`);
const ids = async (name: string) => (await lake.rows(`SELECT id FROM ${name} ORDER BY id`)).map(({ id }) => id);

/** Does `work` once, before the next request of this kind is answered. */
function before(verb: string, work: () => unknown): void {
  lake.platform.onRequest = async (asked) => {
    if (asked !== verb) return;
    lake.platform.onRequest = () => undefined;
    await work();
  };
}

describe("a statement that writes", () => {
  it("begins again from what another commit made of the rows", async () => {
    await table("raced");
    before("commit", () => lake.ask("DELETE FROM raced WHERE id < 3"));
    expect(await lake.count("UPDATE raced SET id = id + 100 WHERE id < 5")).toBe(2);
    expect(await ids("raced")).toEqual([5, 6, 7, 8, 9, 103, 104]);
  });

  it("says what stood against it where it always meets another", async () => {
    await table("lost");
    let races = 0;
    lake.platform.onRequest = async (verb) => {
      const { onRequest } = lake.platform;
      if (verb !== "commit") return;
      lake.platform.onRequest = () => undefined;
      await lake.ask(`ALTER TABLE lost ADD COLUMN c${++races} INTEGER`);
      lake.platform.onRequest = onRequest;
    };
    const failure = await lake.failure("UPDATE lost SET id = id + 100 WHERE id > 5");
    lake.platform.onRequest = () => undefined;
    expect(failure).toMatchObject({
      code: "conflict",
      message: "main.lost was altered by another commit in the meantime.",
    });
    expect(races).toBe(8);
    expect((await ids("lost")).every((id) => Number(id) < 100)).toBe(true);
  }, 180_000);

  it("keeps what it found where rows came meanwhile, or went from other files", async () => {
    await table("grown");
    await lake.ask("INSERT INTO grown VALUES (20), (21)");
    let works = 0;
    lake.platform.onRequest = (verb) => void (works += verb === "put" ? 1 : 0);
    for (const [sql, meanwhile, left] of [
      ["DELETE FROM grown WHERE id < 8 OR id = 30", "INSERT INTO grown VALUES (30)", [8, 9, 20, 21, 30]],
      ["UPDATE grown SET id = id + 1 WHERE id < 10", "DELETE FROM grown WHERE id = 21", [9, 10, 20, 30]],
      ["INSERT INTO grown VALUES (40)", "DELETE FROM grown WHERE id = 10", [9, 20, 30, 40]],
    ] as const) {
      before("commit", () => lake.ask(meanwhile));
      await lake.ask(sql);
      expect([sql, await ids("grown")]).toEqual([sql, left]);
    }
  });

  it("adds no row twice where two look for it and neither finds it", async () => {
    await table("keyed");
    for (const sql of [
      "MERGE INTO keyed USING (SELECT 50 AS id) AS s USING (id) WHEN NOT MATCHED THEN INSERT *",
      "MERGE INTO keyed USING (SELECT unnest([1, 50]) AS id) AS s USING (id) WHEN MATCHED THEN UPDATE SET id = keyed.id WHEN NOT MATCHED THEN INSERT *",
      "INSERT INTO keyed SELECT 50 WHERE 50 NOT IN (SELECT id FROM keyed)",
    ]) {
      before("commit", () => lake.ask(sql));
      await lake.ask(sql);
      expect([sql, (await ids("keyed")).filter((id) => id === 50)]).toEqual([sql, [50]]);
      await lake.ask("DELETE FROM keyed WHERE id = 50");
    }
  });

  it("is done, however many others write to the table at once", async () => {
    await table("busy");
    const inserts = Array.from({ length: 20 }, (_, i) => `INSERT INTO busy VALUES (${100 + i})`);
    const updates = Array.from({ length: 6 }, (_, i) => `UPDATE busy SET id = id + 1000 WHERE id = ${i}`);
    const deletes = [8, 9].map((id) => `DELETE FROM busy WHERE id = ${id}`);
    const counts = await Promise.all([...inserts, ...updates, ...deletes].map((sql) => lake.count(sql)));
    expect(counts).toEqual(counts.map(() => 1));
    expect(await ids("busy")).toEqual([6, 7, ...inserts.map((_, i) => 100 + i), ...updates.map((_, i) => 1000 + i)]);
  }, 180_000);

  it("does not conflict with another that only adds", async () => {
    await table("added");
    before("commit", () => lake.ask("INSERT INTO added VALUES (50)"));
    const start = lake.platform.snapshotId;
    expect(await lake.count("INSERT INTO added VALUES (60)")).toBe(1);
    expect(lake.platform.snapshotId).toBe(start + 2);
    expect((await ids("added")).slice(-2)).toEqual([50, 60]);
  });

  it("is done once where the commit's answer is lost", async () => {
    await table("once");
    const start = lake.platform.snapshotId;
    lake.platform.losingAnswers = 1;
    expect(await lake.count("INSERT INTO once VALUES (70)", { id: "again" })).toBe(1);
    expect(lake.platform.snapshotId).toBe(start + 1);
    expect(await lake.failure("INSERT INTO once VALUES (70)", { id: "again" })).toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`wrote snapshot ${start + 1}`),
    });
    expect((await ids("once")).filter((id) => id === 70)).toEqual([70]);
  });

  it("holds its table no longer when it is ended, also where nobody waits for it any more", async () => {
    await table("held");
    const leases = () =>
      lake.platform.storage.sql
        .exec("SELECT 1 FROM fjord_leases WHERE table_name = 'held' AND holder IS NOT NULL")
        .toArray().length;
    const before = leases();
    const controller = new AbortController();
    let during = 0;
    lake.platform.onRequest = (verb) => {
      if (verb !== "put" || during > 0) return;
      during = leases();
      controller.abort(new Failure("cancelled", "Nobody waits for it any more."));
    };
    await lake.failure("INSERT INTO held SELECT * FROM range(100)", { signal: controller.signal });
    lake.platform.onRequest = () => undefined;
    expect(during).toBe(before + 1);
    await expect.poll(leases).toBe(before);
  });

  it("leaves no snapshot when it is cancelled, whatever it is at", async () => {
    await table("cancelled");
    for (const verb of ["writers", "plan", "uploads", "put"]) {
      const controller = new AbortController();
      const start = lake.platform.snapshotId;
      before(verb, () => controller.abort(new Failure("cancelled", "The statement was cancelled.")));
      const sql =
        verb === "plan" ? "DELETE FROM cancelled WHERE id = 1" : "INSERT INTO cancelled SELECT * FROM range(100)";
      expect([verb, (await lake.failure(sql, { signal: controller.signal })).code]).toEqual([verb, "cancelled"]);
      expect([verb, lake.platform.snapshotId]).toEqual([verb, start]);
    }
    const controller = new AbortController();
    setTimeout(
      () => controller.abort(new Failure("deadline_exceeded", "The statement did not end within its time.")),
      500,
    );
    expect(
      await lake.failure("INSERT INTO cancelled SELECT count(*) FROM range(1000000) a, range(1000000) b", {
        signal: controller.signal,
      }),
    ).toMatchObject({ code: "deadline_exceeded" });
    lake.platform.onRequest = () => undefined;
    expect(await ids("cancelled")).toHaveLength(10);
  });

  it("writes no more to disk than one may", async () => {
    expect(
      await lake.failure(
        "CREATE TABLE large AS SELECT md5(range::VARCHAR) AS a, md5((-range)::VARCHAR) AS b FROM range(20000000)",
      ),
    ).toMatchObject({ code: "resources_exceeded", message: expect.stringContaining("8 MB") });
    expect((await lake.failure("SELECT * FROM large")).code).toBe("sql_error");
  });

  it("that takes all memory, or never ends, harms only itself", async () => {
    await table("bombed");
    const bomb = "SELECT repeat('x', 10000000) || n AS text FROM range(2048) AS r(n)";
    for (const sql of [
      `CREATE TABLE bomb AS SELECT list(text) AS texts FROM (${bomb})`,
      `UPDATE bombed SET id = (SELECT length(string_agg(text, '')) FROM (${bomb}))`,
    ]) {
      expect([sql, (await lake.failure(sql)).code]).toEqual([sql, "resources_exceeded"]);
    }
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Failure("cancelled", "The statement was cancelled.")), 300);
    expect(
      await lake.failure("DELETE FROM bombed WHERE levenshtein(repeat('a', 100000), repeat('b', 100000)) > id", {
        signal: controller.signal,
      }),
    ).toMatchObject({ code: "cancelled" });
    expect(await ids("bombed")).toHaveLength(10);
    expect(await lake.count("DELETE FROM bombed WHERE id = 1")).toBe(1);
  });

  it("writes delete files in order, with the rows deleted before, and ends files without rows", async () => {
    await table("deletes");
    await lake.ask("INSERT INTO deletes SELECT range + 100 FROM range(4)");
    await lake.ask("DELETE FROM deletes WHERE id IN (7, 2)");
    await lake.ask("DELETE FROM deletes WHERE id IN (4, 100, 101, 102, 103)");
    const { sql } = lake.platform.storage;
    const [live] = sql
      .exec<{ path: string; rows: number }>(
        `SELECT s.path || t.path || d.path AS path, d.delete_count AS rows FROM ducklake_delete_file d JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id)
       WHERE d.end_snapshot IS NULL AND t.table_name = 'deletes'`,
      )
      .toArray();
    const reader = await lake.platform.duckdb.runAndReadAll(
      `SELECT pos FROM read_parquet('${lake.platform.bucket}/${live!.path}')`,
    );
    expect([live!.rows, reader.getRows().map(([pos]) => Number(pos))]).toEqual([3, [2, 4, 7]]);
    const files = sql.exec(
      "SELECT 1 FROM ducklake_data_file f JOIN ducklake_table t USING (table_id) WHERE t.table_name = 'deletes' AND t.end_snapshot IS NULL AND f.end_snapshot IS NULL",
    );
    expect(files.toArray()).toHaveLength(1);
    expect(await ids("deletes")).toEqual([0, 1, 3, 5, 6, 8, 9]);
  });

  it("keeps every value exactly, and its bounds in the catalog", async () => {
    await lake.ask(`CREATE TABLE exact AS SELECT 170141183460469231731::HUGEINT AS whole, sum(range) AS total, 'b'::ENUM('a', 'b') AS word, [1, NULL] AS list, {'a b': 1.10::DECIMAL(38,2)} AS struct,
      MAP {'k': 'v'} AS map, TIMESTAMP_NS '2026-01-31 10:00:00.123456789' AS ns, '\\xAA\\x00'::BLOB AS bytes, '{"a": 1}'::JSON AS json, uuid '6e2a3f10-0000-4000-8000-00000000002a' AS id, NULL AS nothing, 1 AS a, 2 AS a FROM range(3)`);
    expect(
      await lake.rows(
        "SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'exact' ORDER BY ordinal_position",
      ),
    ).toEqual(
      [
        ["whole", "DECIMAL(38,0)"],
        ["total", "DECIMAL(38,0)"],
        ["word", "VARCHAR"],
        ["list", "INTEGER[]"],
        ["struct", 'STRUCT("a b" DECIMAL(38,2))'],
        ["map", "MAP(VARCHAR, VARCHAR)"],
        ["ns", "TIMESTAMP_NS"],
        ["bytes", "BLOB"],
        ["json", "JSON"],
        ["id", "UUID"],
        ["nothing", "INTEGER"],
        ["a", "INTEGER"],
        ["a_1", "INTEGER"],
      ].map(([name, type]) => ({ name, type })),
    );
    expect(
      await lake.rows(
        "SELECT whole::VARCHAR AS whole, total, word, list, struct, map, ns::VARCHAR AS ns, bytes, json, id FROM exact",
      ),
    ).toEqual([
      {
        whole: "170141183460469231731",
        total: 3,
        word: "b",
        list: [1, null],
        struct: { "a b": 1.1 },
        map: { k: "v" },
        ns: "2026-01-31 10:00:00.123456789",
        bytes: "qgA=",
        json: { a: 1 },
        id: "6e2a3f10-0000-4000-8000-00000000002a",
      },
    ]);
    const bounds = lake.platform.storage.sql
      .exec<{ min: string; max: string }>(
        "SELECT min_value AS min, max_value AS max FROM ducklake_file_column_stats s JOIN ducklake_table t USING (table_id) WHERE t.table_name = 'exact' AND column_id = 2",
      )
      .toArray();
    expect(bounds).toEqual([{ min: "3", max: "3" }]);
  });
});
