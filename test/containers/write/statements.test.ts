import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WriteLake } from "../../support/node/lake/write-lake.ts";

let lake: WriteLake;
beforeAll(async () => void (lake = await WriteLake.open()));
afterAll(() => lake.close());

const all = (table: string) => lake.rows(`SELECT * FROM ${table} ORDER BY ALL`);

describe("a statement that writes", () => {
  it("makes a table of a query, one snapshot with its author and text", async () => {
    const before = lake.platform.snapshotId;
    const sql = "CREATE TABLE LAKE.main.made AS SELECT range AS id, 'w' || range AS word FROM range(3)";
    expect(JSON.parse(await lake.ask(sql))).toMatchObject({
      success: true,
      columns: ["count"],
      data: [{ count: 3 }],
      rowCount: 1,
    });
    expect(lake.platform.snapshotId).toBe(before + 1);
    expect(await all("made")).toEqual([0, 1, 2].map((id) => ({ id, word: `w${id}` })));
    const [row] = lake.platform.storage.sql
      .exec<{ author: string; message: string }>(
        "SELECT author, commit_message AS message FROM ducklake_snapshot_changes WHERE snapshot_id = ?",
        before + 1,
      )
      .toArray();
    expect(row).toEqual({ author: "Ada", message: sql });
  });

  it("answers in every format", async () => {
    await lake.ask("CREATE TABLE formats (a INTEGER)");
    expect(await lake.ask("INSERT INTO formats VALUES (1), (2)", { format: "csv" })).toBe("count\n2\n");
    expect(await lake.ask("DELETE FROM formats WHERE a = 1", { format: "ndjson" })).toBe('{"count":1}\n');
    expect(JSON.parse(await lake.ask("DROP TABLE formats"))).toMatchObject({
      success: true,
      columns: ["success"],
      data: [],
    });
  });

  it("inserts by position, by list and by name", async () => {
    await lake.ask("CREATE TABLE ins (a INTEGER NOT NULL, b VARCHAR, c DECIMAL(10,2))");
    expect(await lake.count("INSERT INTO lake.MAIN.Ins VALUES (1, 'x', 1.5), (2, NULL, 2)")).toBe(2);
    expect(await lake.count("INSERT INTO ins (c, a) SELECT 3.25, 3")).toBe(1);
    expect(await lake.count("INSERT INTO ins BY NAME SELECT 'q' AS B, 4 AS a")).toBe(1);
    expect(await lake.count("WITH o AS (SELECT 5 AS a) INSERT INTO ins (a) SELECT a FROM o")).toBe(1);
    expect(await lake.count("INSERT INTO ins SELECT * FROM ins WHERE false")).toBe(0);
    expect(await all("ins")).toEqual([
      { a: 1, b: "x", c: 1.5 },
      { a: 2, b: null, c: 2 },
      { a: 3, b: null, c: 3.25 },
      { a: 4, b: "q", c: null },
      { a: 5, b: null, c: null },
    ]);
    expect((await lake.failure("INSERT INTO ins (b) VALUES ('n')")).message).toContain(
      "NOT NULL constraint failed: main.ins.a",
    );
    expect((await lake.failure("INSERT INTO ins VALUES (1)")).message).toContain("3 columns but 1 values");
  });

  it("deletes, updates and merges", async () => {
    await lake.ask("CREATE TABLE rows AS SELECT range::INTEGER AS id, 'w' || range AS word FROM range(10)");
    await lake.ask("CREATE TABLE news AS SELECT * FROM (VALUES (1, 'one'), (20, 'twenty')) AS v(id, word)");
    expect(await lake.count("DELETE FROM rows AS r WHERE r.id % 2 = 0 AND id < (SELECT max(id) FROM rows)")).toBe(5);
    expect(await lake.count("UPDATE rows SET word = upper(word), id = id + 100 WHERE id IN (3, 5)")).toBe(2);
    expect(await lake.count("UPDATE rows AS r SET word = n.word FROM news AS n WHERE n.id = r.id")).toBe(1);
    expect(await all("rows")).toEqual([
      { id: 1, word: "one" },
      { id: 7, word: "w7" },
      { id: 9, word: "w9" },
      { id: 103, word: "W3" },
      { id: 105, word: "W5" },
    ]);
    expect(
      await lake.count(
        "MERGE INTO rows USING news ON rows.id = news.id WHEN MATCHED AND news.word = 'one' THEN DELETE WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT * WHEN NOT MATCHED BY SOURCE AND rows.id > 100 THEN UPDATE SET word = 'old' || CASE WHEN rows.id > 104 THEN '!' ELSE '' END",
      ),
    ).toBe(4);
    expect(await all("rows")).toEqual([
      { id: 7, word: "w7" },
      { id: 9, word: "w9" },
      { id: 20, word: "twenty" },
      { id: 103, word: "old" },
      { id: 105, word: "old!" },
    ]);
    expect(await lake.count("TRUNCATE rows")).toBe(5);
    expect(await lake.count("DELETE FROM rows")).toBe(0);
  });

  it("writes columns that are called as members of every object", async () => {
    await lake.ask("CREATE TABLE proto AS SELECT 1 AS constructor, 2 AS __proto__, 'x' AS tostring");
    expect(
      await lake.count(
        "INSERT INTO proto SELECT constructor + 1, __proto__ + 1, tostring FROM proto WHERE constructor = 1",
      ),
    ).toBe(1);
    expect(await lake.count("UPDATE proto SET __proto__ = constructor, constructor = 9 WHERE constructor = 2")).toBe(1);
    expect(await lake.ask("SELECT * FROM proto ORDER BY constructor", { format: "ndjson" })).toBe(
      '{"constructor":1,"__proto__":2,"tostring":"x"}\n{"constructor":9,"__proto__":2,"tostring":"x"}\n',
    );
  });

  it("knows a table's columns by its whole name, as DuckDB does", async () => {
    await lake.ask("CREATE SCHEMA whole");
    for (const [name, n] of [
      ["t", 1],
      ["s", 2],
      ["whole.t", 3],
    ])
      await lake.ask(
        `CREATE OR REPLACE TABLE ${name} AS SELECT range::INTEGER AS id, {'k': range + ${n}} AS inner FROM range(3)`,
      );
    for (const [sql, count] of [
      ["UPDATE t SET id = LAKE.main.t.id + 10 WHERE LAKE.main.t.id = 1", 1],
      ['UPDATE lake.MAIN.T SET id = "LAKE" . "main" . "T" . "ID" - 10 WHERE lake.t.id = 11 AND main.t.inner.k = 2', 1],
      [
        "DELETE FROM t WHERE LAKE.t.inner.k = (SELECT max(LAKE.main.t.inner.k) FROM LAKE.main.t WHERE LAKE.main.t.id < 99)",
        1,
      ],
      ["DELETE FROM LAKE.main.t USING whole.t WHERE LAKE.main.t.id = LAKE.whole.t.id AND whole.t.inner.k = 4", 1],
      [
        "DELETE FROM LAKE.whole.t WHERE LAKE.whole.t.id IN (SELECT LAKE.main.s.id FROM LAKE.main.s WHERE LAKE.whole.t.id = main.s.id) AND whole.t.id = 0",
        1,
      ],
      [
        "MERGE INTO LAKE.whole.t USING LAKE.main.s ON LAKE.whole.t.id = LAKE.main.s.id WHEN MATCHED AND main.s.id > LAKE.s.id - 1 THEN UPDATE SET id = LAKE.whole.t.id + LAKE.main.s.id * 100 WHEN NOT MATCHED THEN INSERT (id) VALUES (LAKE.main.s.id)",
        3,
      ],
    ] as const) {
      expect([sql, await lake.count(sql)]).toEqual([sql, count]);
    }
    expect(await lake.rows("SELECT id FROM t")).toEqual([{ id: 0 }]);
    expect(await lake.rows("SELECT id FROM whole.t ORDER BY id")).toEqual([{ id: 0 }, { id: 101 }, { id: 202 }]);
    expect((await lake.failure("DELETE FROM t AS x WHERE LAKE.main.t.id = 1")).message).toContain(
      'Referenced table "main.t" not found',
    );
    await lake.ask("DROP SCHEMA whole CASCADE");
  });

  it("changes rows of a table whose columns DuckDB has words for", async () => {
    await lake.ask(
      "CREATE TABLE words AS SELECT 2 AS file_row_number, 'f' || range AS filename, {'k': range} AS rowid, range AS id FROM range(5)",
    );
    expect(await lake.count("DELETE FROM words WHERE id = 1")).toBe(1);
    expect(await lake.count("UPDATE words SET file_row_number = 9, filename = 'g' WHERE filename = 'f3'")).toBe(1);
    expect(
      await lake.count(
        "MERGE INTO words USING (VALUES (4), (5)) AS s(id) USING (id) WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, filename) VALUES (s.id, 'h')",
      ),
    ).toBe(2);
    await lake.ask("ALTER TABLE words RENAME COLUMN file_row_number TO n");
    await lake.ask("ALTER TABLE words ADD COLUMN file_row_number INTEGER");
    expect(
      await lake.rows("SELECT id, n, filename, rowid.k AS k, file_row_number AS f FROM words ORDER BY id"),
    ).toEqual([
      { id: 0, n: 2, filename: "f0", k: 0, f: null },
      { id: 2, n: 2, filename: "f2", k: 2, f: null },
      { id: 3, n: 9, filename: "g", k: 3, f: null },
      { id: 5, n: null, filename: "h", k: null, f: null },
    ]);
  });

  it("refuses a column called as DuckDB calls field ids", async () => {
    expect(await lake.failure("CREATE TABLE ids AS SELECT {'__DuckDB_field_id': 1} AS a")).toMatchObject({
      code: "sql_error",
      message: expect.stringContaining("called __DuckDB_field_id"),
    });
  });

  it("distinguishes names as DuckDB does, by more than the case of ASCII letters", async () => {
    for (const [name, n] of [
      ["Ä", 1],
      ["ä", 2],
    ] as const)
      await lake.ask(`CREATE TABLE "${name}b" AS SELECT ${n} AS "É", ${n} + 10 AS "é"`);
    expect(await lake.count('UPDATE "äB" SET "é" = 20')).toBe(1);
    expect(await lake.count('INSERT INTO "äb" ("é") VALUES (21)')).toBe(1);
    expect(await lake.rows('SELECT "É" AS a, "é" AS b FROM "Äb"')).toEqual([{ a: 1, b: 11 }]);
    expect(await lake.rows('SELECT "É" AS a, "é" AS b FROM "äb" ORDER BY b')).toEqual([
      { a: 2, b: 20 },
      { a: null, b: 21 },
    ]);
  });

  it("changes tables and schemas", async () => {
    await lake.ask("CREATE SCHEMA IF NOT EXISTS LAKE.shop");
    await lake.ask("CREATE TABLE shop.t AS SELECT 1::INTEGER AS a, 'x' AS b");
    await lake.ask("ALTER TABLE shop.t ADD COLUMN c STRUCT(k INTEGER, l VARCHAR[])");
    await lake.ask("ALTER TABLE LAKE.shop.T RENAME COLUMN b TO d");
    await lake.ask("ALTER TABLE shop.t ALTER a SET DATA TYPE BIGINT");
    await lake.ask("INSERT INTO shop.t VALUES (4294967296, 'y', {'k': 1, 'l': ['m']})");
    await lake.ask("ALTER TABLE shop.t DROP COLUMN IF EXISTS zz");
    await lake.ask("ALTER TABLE shop.t DROP d");
    await lake.ask("ALTER TABLE shop.t ADD COLUMN IF NOT EXISTS d INTEGER");
    await lake.ask("ALTER TABLE shop.t RENAME TO u");
    expect(await all("shop.u")).toEqual([
      { a: 1, c: null, d: null },
      { a: 4294967296, c: { k: 1, l: ["m"] }, d: null },
    ]);
    expect((await lake.failure("ALTER TABLE shop.u ALTER a TYPE VARCHAR")).message).toContain(
      "int64 can't become varchar",
    );
    expect((await lake.failure("DROP SCHEMA shop")).message).toContain("not empty");
    await lake.ask("DROP SCHEMA shop CASCADE");
    await lake.ask("DROP TABLE IF EXISTS u");
    expect((await lake.failure("SELECT * FROM shop.u")).code).toBe("sql_error");
  });

  it("reads the past, at a number or an instant, beside the present", async () => {
    await lake.ask("CREATE TABLE past AS SELECT 1 AS a");
    const first = lake.platform.snapshotId;
    await new Promise((resolve) => setTimeout(resolve, 20));
    const instant = new Date().toISOString();
    await lake.ask("UPDATE past SET a = 2");
    await lake.ask(`INSERT INTO past SELECT a + 10 FROM past AT (VERSION => ${first})`);
    expect(
      await lake.rows(
        `SELECT p.a AS new, o.a AS old, list_transform([o.a], lambda x: x + 1) AS more FROM past AS p, past AS o AT (VERSION => ${first}) ORDER BY 1`,
      ),
    ).toEqual([
      { new: 2, old: 1, more: [2] },
      { new: 11, old: 1, more: [2] },
    ]);
    expect(await lake.rows(`SELECT past.a, main.past.a AS b FROM main.past AT (VERSION => ${first})`)).toEqual([
      { a: 1, b: 1 },
    ]);
    expect(await lake.rows(`SELECT a FROM LAKE.main.past AT (TIMESTAMP => TIMESTAMPTZ '${instant}')`)).toEqual([
      { a: 1 },
    ]);
    expect(
      await lake.count(
        `MERGE INTO past USING past AS o AT (VERSION => ${first}) ON past.a = o.a + 1 WHEN MATCHED THEN UPDATE SET a = o.a + past.a`,
      ),
    ).toBe(1);
    expect(await lake.rows("FROM past ORDER BY a")).toEqual([{ a: 3 }, { a: 11 }]);
    expect(
      await lake.rows(
        `SELECT typeof(1e0) AS a, typeof(0.1) AS b, 1e-7 + 2e300 AS c, [1.5e0] AS d, -1e0 AS e, a FROM past AT (VERSION => ${first})`,
      ),
    ).toEqual([{ a: "DOUBLE", b: "DECIMAL(2,1)", c: 2e300, d: [1.5], e: -1, a_2: 1 }]);
    await lake.ask("DROP TABLE past");
    expect(await lake.rows(`SELECT past.a FROM past AT (VERSION => ${first + 1})`)).toEqual([{ a: 2 }]);
    expect((await lake.failure("SELECT * FROM past AT (VERSION => 9999)")).message).toContain("no snapshot 9999");
    expect((await lake.failure("SELECT * FROM past AT (TIMESTAMP => '2001-01-01')")).message).toContain("No snapshot");
  });
});
