// Snowflake as a source, against a fake that speaks its private protocol: what is asked is answered exactly.

import { describe, expect, test } from "vitest";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import { snowflake } from "../../../../containers/engine/sources/snowflake/connector.ts";
import { SNOWFLAKE, withFakeSnowflake } from "../../../support/node/sources/snowflake/with-fake.ts";

const fake = withFakeSnowflake(async ({ database }) => {
  await database.execute(`CREATE TABLE places (id NUMBER(38,0) PRIMARY KEY, name VARCHAR, moment TIMESTAMP_TZ, born DATE,
    height FLOAT, raw BINARY, doc VARIANT, price NUMBER(12,2), is_open BOOLEAN, noon TIME, seen TIMESTAMP_NTZ(9))`);
  await database.execute(`INSERT INTO places VALUES
    (1, 'NULL', '2026-01-31 10:00:00.5+02', '1969-12-31', 'nan', TO_BINARY('00FF'), '{"a": [1]}', -0.50, true,
      '12:00:00.25', '2026-01-31 10:00:00.123456789'),
    (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`);
  await database.execute("CREATE TABLE visits (id NUMBER, place NUMBER REFERENCES places (id))");
  await database.execute("CREATE VIEW numbers AS SELECT range AS n FROM range(12345)");
  await database.execute("CREATE VIEW open_places AS SELECT id, name FROM places WHERE is_open");
});

const NEVER = new AbortController().signal;

async function query(sql: string, values?: readonly BoundValue[], signal: AbortSignal = NEVER) {
  const rows: (string | null)[][] = [];
  const columns = await snowflake.query(
    { source: SNOWFLAKE, sql, values, access: "everything", signal, id: "q-1" },
    async (result) => {
      await result.rows(({ bytes, starts, ends }) => {
        const text = Buffer.from(bytes);
        rows.push(Array.from(starts, (start, i) => (ends[i]! < 0 ? null : text.toString("utf8", start, ends[i]))));
        return true;
      });
      return result.columns;
    },
  );
  return { columns, rows };
}

describe("a query", () => {
  test("gives each type's values exactly, and the text NULL apart from none", async () => {
    const { columns, rows } = await query("select * from Places order by id");
    expect(columns.map(({ name, type, kind }) => `${name} ${type} ${kind}`)).toEqual([
      "ID NUMBER(38,0) decimal",
      "NAME VARCHAR(16777216) text",
      "MOMENT TIMESTAMP_TZ(9) timestamptz",
      "BORN DATE date",
      "HEIGHT FLOAT float",
      "RAW BINARY binary",
      "DOC VARIANT json",
      "PRICE NUMBER(12,2) decimal",
      "IS_OPEN BOOLEAN boolean",
      "NOON TIME(9) time",
      "SEEN TIMESTAMP_NTZ(9) timestamp",
    ]);
    expect(rows).toEqual([
      [
        "1",
        "NULL",
        "2026-01-31T08:00:00.5Z",
        "1969-12-31",
        "NaN",
        "AP8=",
        '{"a": [1]}',
        "-0.50",
        "true",
        "12:00:00.25",
        "2026-01-31T10:00:00.123456789",
      ],
      ["2", ...Array.from({ length: 10 }, () => null)],
    ]);
  });

  test("reads a result of many chunks in order, and one of none", async () => {
    const { rows } = await query("SELECT n, 'row ' || n AS t FROM numbers");
    expect(rows.length).toBe(12_345);
    expect(rows.every(([n, text], i) => n === String(i) && text === `row ${i}`)).toBe(true);
    expect((await query("SELECT id FROM places WHERE id > 5")).rows).toEqual([]);
  });

  test("binds values, which are no part of the text", async () => {
    const sql = "SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e";
    expect((await query(sql, ["it's", 3, 1.5, true, null])).rows).toEqual([["it's", "3", "1.5", "true", null]]);
    expect(fake().statementsSeen).toEqual([sql]);
  });

  test("waits for a statement that takes longer than the service holds a request", async () => {
    for (const holdMs of [20, 0]) {
      fake().holdMs = holdMs;
      fake().statements.runMs = 200;
      expect((await query("SELECT 1 AS one")).rows).toEqual([["1"]]);
    }
    expect(fake().requests.filter((path) => path.endsWith("/result")).length).toBeGreaterThan(2);
  });

  test("ends its session, and says what it is and how long it may take", async () => {
    await query("SELECT 1 AS one");
    const { statements, sessions } = fake();
    expect(sessions.all.map(({ isClosed }) => isClosed)).toEqual([true]);
    expect(sessions.all[0]!.login.SESSION_PARAMETERS).toMatchObject({ TIMEZONE: "UTC", ABORT_DETACHED_QUERY: true });
    expect(statements.all[0]!.order.parameters).toEqual({
      STATEMENT_TIMEOUT_IN_SECONDS: 902,
      MULTI_STATEMENT_COUNT: 1,
      QUERY_TAG: "fjord q-1",
    });
  });

  test("is ended at the server when nobody waits any more", async () => {
    fake().statements.runMs = 60_000;
    const stop = new AbortController();
    const asked = query("SELECT 1 AS one", undefined, stop.signal);
    await expect.poll(() => fake().statementsSeen.length).toBe(1);
    stop.abort(new Error("the caller went"));
    await expect(asked).rejects.toThrow("the caller went");
    expect(fake().statements.all[0]!.isAborted).toBe(true);
    expect(fake().aborts).toEqual([fake().statements.all[0]!.requestId]);
    expect(fake().sessions.all[0]!.isClosed).toBe(true);
  });

  test("says Snowflake's error with its number and state", async () => {
    fake().statements.prepared.set("SELECT nothing FROM places", {
      success: false,
      code: "000904",
      message: "SQL compilation error: error line 1 at position 7\ninvalid identifier 'NOTHING'",
      data: { sqlState: "42000" },
    });
    await expect(query("SELECT nothing FROM places")).rejects.toMatchObject({
      code: "sql_error",
      message: expect.stringMatching(/invalid identifier 'NOTHING' \(000904, 42000\)$/),
      position: 8,
    });
  });
});

test("a test says what answers, and whether the role may write", async () => {
  expect(await snowflake.test(SNOWFLAKE, NEVER)).toEqual({
    product: "Snowflake",
    version: "9.40.1",
    tls: false,
    canWrite: false,
  });
  await fake().database.executeDuckdb("INSERT INTO memory.sf.object_privileges VALUES ('INSERT', 'READER')");
  expect((await snowflake.test(SNOWFLAKE, NEVER)).canWrite).toBe(true);
  // Where the role may not look, it is taken for one that may write.
  await fake().database.executeDuckdb("ALTER TABLE memory.sf.object_privileges RENAME TO hidden");
  expect((await snowflake.test(SNOWFLAKE, NEVER)).canWrite).toBe(true);
});

test("introspection lists tables, views, types as they are declared, and keys", async () => {
  const { schemas, truncated } = await snowflake.introspect(SNOWFLAKE, NEVER);
  expect(truncated).toBe(false);
  expect(schemas.map(({ name }) => name)).toEqual(["PUBLIC"]);
  const tables = Object.fromEntries(schemas[0]!.tables.map((table) => [table.name, table]));
  expect(Object.keys(tables).sort()).toEqual(["NUMBERS", "OPEN_PLACES", "PLACES", "VISITS"]);
  expect(tables.PLACES).toMatchObject({ kind: "table", primaryKey: ["ID"] });
  expect(tables.PLACES!.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "ID NUMBER(38,0)",
    "NAME VARCHAR(16777216)",
    "MOMENT TIMESTAMP_TZ(9)",
    "BORN DATE",
    "HEIGHT FLOAT",
    "RAW BINARY(8388608)",
    "DOC VARIANT",
    "PRICE NUMBER(12,2)",
    "IS_OPEN BOOLEAN",
    "NOON TIME(9)",
    "SEEN TIMESTAMP_NTZ(9)",
  ]);
  expect(tables.OPEN_PLACES!.kind).toBe("view");
  expect(tables.VISITS!.foreignKeys).toEqual([
    { columns: ["PLACE"], schema: "PUBLIC", table: "PLACES", references: ["ID"] },
  ]);
});

test("introspection says which columns are counted up: of identities those that grow in order", async () => {
  const { database } = fake();
  await database.execute("CREATE TABLE counts (a NUMBER, b NUMBER, c NUMBER, d NUMBER)");
  await database.executeDuckdb(`INSERT INTO memory.sf.identities
    VALUES ('COUNTS', 'A', '1', 'YES'), ('COUNTS', 'B', '1', 'NO'), ('COUNTS', 'C', '-1', 'YES')`);
  const { schemas } = await snowflake.introspect(SNOWFLAKE, NEVER);
  const { columns } = schemas[0]!.tables.find(({ name }) => name === "COUNTS")!;
  expect(columns.map(({ name, counted }) => [name, counted])).toEqual([
    ["A", true],
    ["B", false],
    ["C", false],
    ["D", false],
  ]);
});

test("introspection lists a column whose length or precision the service does not say", async () => {
  const { database } = fake();
  await database.executeDuckdb(
    `ALTER VIEW memory.sf.columns RENAME TO columns_of_database; CREATE VIEW memory.sf.columns AS
      SELECT * REPLACE (NULL::INTEGER AS character_maximum_length, NULL::INTEGER AS numeric_precision)
      FROM memory.sf.columns_of_database`,
  );
  const { schemas } = await snowflake.introspect(SNOWFLAKE, NEVER);
  const { columns } = schemas[0]!.tables.find(({ name }) => name === "PLACES")!;
  expect(columns.slice(0, 3).map(({ name, type }) => `${name} ${type}`)).toEqual([
    "ID NUMBER",
    "NAME VARCHAR",
    "MOMENT TIMESTAMP_TZ(9)",
  ]);
});
