import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../../containers/engine/core/failure.ts";
import { claimTables } from "../../../src/lake/writers/owners.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";

let lake: WriteLake;
beforeAll(async () => {
  lake = await WriteLake.open();
  await lake.ask("CREATE TABLE t AS SELECT range::INTEGER AS id, 'w' || range AS word FROM range(5)");
  await lake.ask("CREATE SCHEMA hidden");
  await lake.ask("CREATE TABLE taken (a INTEGER)");
});
afterAll(() => lake.close());

/** What no statement may change, and no failure leave behind. */
async function unchanged(sql: string) {
  const before = lake.platform.snapshotId;
  const failure = await lake.failure(sql);
  expect([sql, lake.platform.snapshotId]).toEqual([sql, before]);
  return failure;
}

describe("a statement that fails", () => {
  it.each([
    ["SELECT nothing FROM t", "sql_error", true],
    ["DELETE FROM t WHERE nothing", "sql_error", undefined],
    ["DROP nothing", "statement_refused", undefined],
  ])(
    "says that it wrote nothing where it only reads, and otherwise leaves that open: %s",
    async (sql, code, isRead) => {
      await expect(lake.ask(sql)).rejects.toMatchObject({ code, isRead });
      await expect(
        lake.ask(sql, { signal: AbortSignal.abort(new Failure("cancelled", "It is.")) }),
      ).rejects.toMatchObject({ isRead });
    },
  );
});

describe("a statement that writes is refused", () => {
  it("for who may only read, before anything is done", async () => {
    for (const sql of [
      "DELETE FROM t",
      "CREATE TABLE x (a INT)",
      "DROP TABLE IF EXISTS nothing",
      "MERGE INTO t USING t AS s ON false WHEN MATCHED THEN DELETE",
      "/* SELECT */ TRUNCATE t",
      "-- x\nWITH a AS (SELECT 1) INSERT INTO t SELECT 1, 'x'",
    ]) {
      const failure = await lake.failure(sql, { grant: lake.platform.grant() });
      expect([sql, failure.code, failure.message]).toEqual([
        sql,
        "forbidden",
        "Writing to the lake needs the right lake:write.",
      ]);
    }
  });

  it("on a table that a sync owns, with the sync's name and id", async () => {
    await lake.ask("CREATE TABLE synced (a INTEGER)");
    claimTables(lake.platform.storage, { owner: "sync:0198", name: "Shop" }, [{ schema: "main", name: "synced" }]);
    for (const sql of [
      "INSERT INTO Synced VALUES (1)",
      "DELETE FROM main.synced",
      "DROP TABLE synced",
      "ALTER TABLE synced ADD COLUMN b INT",
      "CREATE OR REPLACE TABLE synced AS SELECT 1 AS a",
      "TRUNCATE LAKE.main.synced",
      "COMMENT ON TABLE synced IS 'x'",
      "COMMENT ON COLUMN LAKE.main.synced.a IS NULL",
      "ALTER TABLE t RENAME TO synced",
    ]) {
      const { code, message } = await unchanged(sql);
      expect([sql, code]).toEqual([sql, "conflict"]);
      expect(message).toContain("belongs to the sync Shop");
    }
    expect((await unchanged("UPDATE synced SET a = 1")).message).toContain("0198");
  });

  it.each([
    ["a second statement", "DELETE FROM t; DROP TABLE t"],
    ["a second statement within", "INSERT INTO t SELECT 1, 'x'; DELETE FROM t"],
    ["a condition that closes what it did not open", "DELETE FROM t WHERE true) OR (true"],
    ["a value that goes on as a query", "UPDATE t SET word = (1) FROM (SELECT 1)) UNION SELECT * FROM t --"],
    ["a comment that never ends", "DELETE FROM t WHERE true /* "],
    ["a text that never ends", "DELETE FROM t WHERE word = 'x"],
    ["a dollar text that never ends", "UPDATE t SET word = $$ x"],
    ["files", "INSERT INTO t SELECT 1, content FROM read_text('/etc/passwd')"],
    ["files by name", "CREATE TABLE x AS SELECT * FROM '/etc/passwd'"],
    ["files in SET", "UPDATE t SET word = (SELECT content FROM read_text('/etc/passwd'))"],
    [
      "files in ON",
      "MERGE INTO t USING (SELECT 1 AS id) AS s ON t.id = (SELECT count(*) FROM read_csv('/etc/passwd')) WHEN MATCHED THEN DELETE",
    ],
    [
      "files in VALUES",
      "MERGE INTO t USING (SELECT 1 AS id) AS s ON false WHEN NOT MATCHED THEN INSERT VALUES (1, (SELECT content FROM read_text('x')))",
    ],
    ["a function the gate refuses", "DELETE FROM t WHERE getvariable('x') IS NULL"],
    ["one in VALUES", "INSERT INTO t VALUES (1, current_setting('temp_directory'))"],
    ["one in a type", "CREATE TABLE x (a DECIMAL(getvariable('x'), 1))"],
    ["a query in a type", "CREATE TABLE x (a INTEGER) AS b, (SELECT 1)"],
    ["a type that is a query", "CREATE TABLE x (a INTEGER) , (SELECT 1 AS b"],
    ["a table that is not there", "DELETE FROM t USING secret WHERE secret.id = t.id"],
    ["our own catalog of places", 'INSERT INTO t SELECT id, "fjord file" FROM "LAKE rows".main.t'],
    ["a snapshot's catalog by its name", 'SELECT * FROM "LAKE@1".main.t'],
    ["information of the engine", "INSERT INTO t SELECT 1, sql FROM duckdb_views()"],
    ["another catalog", "DELETE FROM memory.main.t"],
    ["COPY", "COPY t TO 'x.parquet'"],
    ["ATTACH", "ATTACH 'x' AS y"],
    ["EXPLAIN", "EXPLAIN DELETE FROM t"],
    ["EXPLAIN within", "CREATE TABLE x AS EXPLAIN SELECT 1"],
    ["a statement within a query", "SELECT * FROM (DELETE FROM t)"],
    ["a statement in a common table expression", "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"],
    ["RETURNING", "DELETE FROM t WHERE id = 1 RETURNING *"],
    ["ON CONFLICT", "INSERT INTO t VALUES (1, 'x') ON CONFLICT DO NOTHING"],
    ["a default", "CREATE TABLE x (a INTEGER DEFAULT 3)"],
    ["a primary key", "CREATE TABLE x (a INTEGER PRIMARY KEY)"],
    ["a key of the table", "CREATE TABLE x (a INTEGER, PRIMARY KEY (a))"],
    ["a check", "CREATE TABLE x (a INTEGER CHECK (a > 0))"],
    ["a generated column", "CREATE TABLE x (a INTEGER, b INTEGER GENERATED ALWAYS AS (a + 1))"],
    ["a temporary table", "CREATE TEMP TABLE x AS SELECT 1 AS a"],
    ["a view", "CREATE VIEW x AS SELECT 1 AS a"],
    ["two columns of one name", "CREATE TABLE x (a INTEGER, A VARCHAR)"],
    ["a type the lake can't keep", "CREATE TABLE x AS SELECT INTERVAL 1 DAY AS a"],
    ["a time with a zone", "CREATE TABLE x (a TIMETZ)"],
    ["a number past 38 digits", "CREATE TABLE x AS SELECT 170141183460469231731687303715884105727::HUGEINT AS a"],
    ["a schema that is not there", "CREATE TABLE nowhere.x (a INTEGER)"],
    ["the schema main", "DROP SCHEMA main CASCADE"],
    ["an unknown column", "UPDATE t SET nope = 1"],
    ["one column twice", "UPDATE t SET word = 'a', Word = 'b'"],
    [
      "a row matched twice",
      "MERGE INTO t USING (VALUES (1, 'a'), (1, 'b')) AS s(id, word) ON t.id = s.id WHEN MATCHED THEN UPDATE SET word = s.word",
    ],
    [
      "a row updated from two",
      "UPDATE t SET word = s.word FROM (VALUES (1, 'a'), (1, 'b')) AS s(id, word) WHERE t.id = s.id",
    ],
    [
      "an ambiguous condition",
      "MERGE INTO t USING (SELECT 1 AS id, 'x' AS word) AS s ON id = id WHEN NOT MATCHED THEN INSERT *",
    ],
    ["a number that does not fit", "INSERT INTO t VALUES (3000000000, 'x')"],
    ["a column of another table in SET", "UPDATE t SET s.word = 'x'"],
    ["a field in SET", "UPDATE t SET word.k = 'x'"],
    ["a column it does not find, offering none of ours", "DELETE FROM t WHERE nope = 1"],
    ["a key that is added", "ALTER TABLE t ADD PRIMARY KEY (id)"],
    ["VALUES by name", "INSERT INTO t BY NAME VALUES (1, 'x')"],
    ["DEFAULT VALUES and more", "INSERT INTO t DEFAULT VALUES RETURNING *"],
    ["no values", "INSERT INTO t VALUES ()"],
    ["words after a list", "INSERT INTO t VALUES (1, 'x') nonsense"],
    ["a list that ends early", "INSERT INTO t VALUES (1, 'x')) ON CONFLICT DO NOTHING --"],
    ["a transaction", "BEGIN"],
    ["a comment on a schema", "COMMENT ON SCHEMA main IS 'x'"],
    ["a comment on a column of no table", "COMMENT ON COLUMN word IS 'x'"],
    ["a comment on an unknown column", "COMMENT ON COLUMN t.nope IS 'x'"],
    ["a comment on a table that is not there", "COMMENT ON TABLE nope IS 'x'"],
    ["a comment that is no text", "COMMENT ON TABLE t IS 1 + 1"],
    ["a comment that goes on", "COMMENT ON TABLE t IS 'x' || 'y'"],
    ["a comment too long", `COMMENT ON TABLE t IS '${"x".repeat(4_097)}'`],
    ["a comment of a definition that is no text", "CREATE TABLE x (a INTEGER COMMENT 1)"],
    ["a comment of a definition that is missing", "CREATE TABLE x (a INTEGER) COMMENT"],
    ["a comment of a definition that goes on", "CREATE TABLE x COMMENT 'x' || 'y' AS SELECT 1 AS a"],
    ["a comment of a definition too long", `CREATE TABLE x (a INTEGER COMMENT '${"x".repeat(4_097)}')`],
    ["a name of five parts", "COMMENT ON COLUMN a.LAKE.main.t.id IS 'x'"],
    ["nothing", "INSERT INTO"],
    ["a head alone", "MERGE INTO t USING t AS s ON true"],
  ])("with %s", async (_, sql) => {
    const { code, message } = await unchanged(sql);
    expect([sql, code]).toEqual([sql, expect.stringMatching(/^(statement_refused|sql_error)$/)]);
    expect(message).not.toMatch(/fjord|\/tmp\/|tmp\/\d/);
    expect(await lake.rows("SELECT count(*) AS n, max(word) AS word FROM t")).toEqual([{ n: 5, word: "w4" }]);
  });

  it("offering the table's own columns, and telling the sender's words as they were written", async () => {
    for (const [sql, told] of [
      ["DELETE FROM t WHERE nope = 1", 'Candidate bindings: "word"'],
      ["DELETE FROM t WHERE fjord = 1", 'Candidate bindings: "word"'],
      ["UPDATE t SET word = fil", 'Referenced column "fil" not found in FROM clause!'],
      ['DELETE FROM t WHERE "fjord fil" = 1', 'Referenced column "fjord fil" not found'],
      [`UPDATE t SET word = error('"fjord file", "fjord position"')`, '"fjord file", "fjord position"'],
    ] as const) {
      const { message } = await unchanged(sql);
      expect(message).toContain(told);
      expect(message.replace(told, "")).not.toMatch(/fjord (file|position)|Candidate bindings: $/);
    }
  });

  it("with a name that is taken, without trying again and again", async () => {
    let commits = 0;
    lake.platform.onRequest = (verb) => void (commits += verb === "commit" ? 1 : 0);
    expect(await unchanged("ALTER TABLE t RENAME TO taken")).toEqual({
      code: "conflict",
      message: "main.taken exists already.",
    });
    lake.platform.onRequest = () => undefined;
    expect(commits).toBe(2);
  });

  it("where the plan allows no more data and it would add some, and not where it only changes what is there", async () => {
    await lake.ask("CREATE TABLE full_up AS SELECT range::INTEGER AS id FROM range(9)");
    lake.platform.isFull = true;
    try {
      for (const sql of [
        "INSERT INTO full_up VALUES (10)",
        "CREATE TABLE more AS SELECT 1 AS a",
        "MERGE INTO full_up USING (SELECT 11 AS id) AS s USING (id) WHEN NOT MATCHED THEN INSERT",
      ])
        expect(await unchanged(sql)).toEqual({ code: "quota_exceeded", message: "The plan allows no more." });
      expect(await lake.count("DELETE FROM full_up WHERE id > 4")).toBe(4);
      expect(await lake.count("UPDATE full_up SET id = id + 1")).toBe(5);
      await lake.ask("DROP TABLE full_up");
    } finally {
      lake.platform.isFull = false;
    }
  });

  it("takes words in texts, comments and quotes for what they are", async () => {
    await lake.ask('CREATE TABLE "or; replace" AS SELECT \'DELETE FROM t; --\' AS "from", $q$ WHERE " $q$ AS "where"');
    expect(
      await lake.count(
        'UPDATE /* SET */ "or; replace" AS "set" SET "from" = \'it\'\'s WHERE\' || "set"."where", -- FROM x\n "where" = $$ FROM $$ WHERE "set"."from" LIKE \'%;%\'',
      ),
    ).toBe(1);
    expect(await lake.rows('SELECT * FROM "or; replace"')).toEqual([{ from: "it's WHERE WHERE \" ", where: " FROM " }]);
    expect(
      await lake.count(
        'DELETE FROM "or; replace" WHERE "from" IS DISTINCT FROM NULL AND CASE WHEN true THEN (SELECT 1 AS "end") = 1 END;',
      ),
    ).toBe(1);
  });

  it("with a text too long, at once", async () => {
    const values = Array.from({ length: 40_000 }, (_, i) => `(${i}, 'x')`).join(", ");
    expect(await unchanged(`INSERT INTO t VALUES ${values}`)).toMatchObject({
      code: "statement_refused",
      message: expect.stringContaining("in several statements"),
    });
    expect(await unchanged(`DROP TABLE ${"a.".repeat(400_000)}b`)).toMatchObject({
      code: "statement_refused",
      message: 'The table\'s name has at most 3 parts, near "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.".',
    });
    expect(await unchanged(`DELETE FROM t WHERE ${"(".repeat(20_000)}1${")".repeat(20_000)} = 1`)).toMatchObject({
      code: expect.stringMatching(/^(statement_refused|sql_error)$/),
    });
  });
});
