// The lake's gate against all that this DuckDB has, and at every place where a statement may hold an expression or a
// table.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../../containers/engine/core/failure.ts";
import { foldName } from "../../../containers/engine/duckdb/names.ts";
import { Gate } from "../../../containers/engine/lake/sql/gate.ts";
import { ALLOWED_FUNCTIONS } from "../../../containers/engine/lake/sql/gate-functions.ts";

let gate: Gate;
let duckdb: DuckDBConnection;
beforeAll(async () => {
  gate = await Gate.open();
  duckdb = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => duckdb.closeSync());

const namesOf = async (sql: string): Promise<string[]> =>
  (await duckdb.runAndReadAll(sql)).getRows().map(([name]) => String(name));

/** The statements that the gate lets through. */
async function passing(statements: readonly string[]): Promise<string[]> {
  const passed: string[] = [];
  for (const sql of statements) {
    const failure = await gate.analyse(sql).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) passed.push(sql);
    else if (!(failure instanceof Failure) || !["statement_refused", "sql_error"].includes(failure.code)) throw failure;
  }
  return passed;
}

/** What makes rows of its arguments alone, and the zones' names, which are the same everywhere. */
const MAKERS = ["generate_series", "json_each", "json_tree", "pg_timezone_names", "range", "repeat", "unnest"];

describe("of what this DuckDB has, the gate refuses", () => {
  it("every table function but those that make rows of their arguments", async () => {
    const functions = await namesOf(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('table', 'table_macro', 'pragma') ORDER BY 1",
    );
    expect(functions.length).toBeGreaterThan(80);
    const spellings = functions.flatMap((name) => [
      `SELECT * FROM ${name}()`,
      `FROM "${name.toUpperCase()}"('x', 1)`,
      `SELECT (FROM ${name}('x'))`,
      `SELECT 1 FROM range(1) JOIN LATERAL ${name}(range) ON true`,
    ]);
    const passed = await passing(spellings);
    expect(passed.filter((sql) => !MAKERS.some((name) => new RegExp(`\\b${name}\\b`, "i").test(sql)))).toEqual([]);
    expect(passed.length).toBeGreaterThanOrEqual(MAKERS.length);
  });

  it("every pragma, called, set, or as a statement of its own", async () => {
    const pragmas = await namesOf(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'pragma'",
    );
    expect(pragmas.length).toBeGreaterThan(30);
    expect(
      await passing(
        pragmas.flatMap((name) => [
          `PRAGMA ${name}`,
          `PRAGMA ${name}('x')`,
          `CALL ${name}()`,
          `SELECT 1; PRAGMA ${name}`,
        ]),
      ),
    ).toEqual([]);
  });

  it("every setting", async () => {
    const settings = await namesOf("SELECT name FROM duckdb_settings()");
    expect(settings.length).toBeGreaterThan(100);
    expect(
      await passing(
        settings.flatMap((name) => [
          `SET ${name} = 1`,
          `SET GLOBAL ${name} = 'x'`,
          `RESET ${name}`,
          `PRAGMA ${name} = 1`,
          `SELECT current_setting('${name}')`,
        ]),
      ),
    ).toEqual([]);
  });

  it("every view of its own that tells of the instance", async () => {
    const views = await namesOf(
      "SELECT DISTINCT view_name FROM duckdb_views() WHERE internal AND schema_name = 'information_schema'",
    );
    const readable = ["columns", "schemata", "tables"];
    expect((await passing(views.map((name) => `FROM information_schema.${name}`))).sort()).toEqual(
      readable.map((name) => `FROM information_schema.${name}`),
    );
  });

  it("every statement that is no query", async () => {
    const verbs =
      "ALTER ANALYZE ATTACH BEGIN CALL CHECKPOINT COMMENT COMMIT COPY CREATE DEALLOCATE DELETE DETACH DROP EXECUTE EXPORT FORCE IMPORT INSERT INSTALL LOAD MERGE PRAGMA PREPARE RESET ROLLBACK SET TRUNCATE UPDATE USE VACUUM".split(
        " ",
      );
    const rests = [
      "",
      " x",
      " x FROM y",
      " TABLE x",
      " DATABASE x",
      " INTO x SELECT 1",
      " x SET y = 1",
      " x AS SELECT 1",
      " x TO 'y'",
      " 'x'",
      " VIEW x AS SELECT 1",
      " SCHEMA x",
      " TYPE x AS INT",
      " SECRET (TYPE s3)",
      " TRANSACTION",
    ];
    expect(await passing(verbs.flatMap((verb) => rests.map((rest) => verb + rest)))).toEqual([]);
    expect(await passing(verbs.map((verb) => `EXPLAIN ${verb} x SET y = 1`))).toEqual([]);
  });
});

describe("of what DuckDB 2 adds, the gate refuses", () => {
  // This DuckDB knows none of it; the next opens nothing.
  it.each([
    ["statements", ["CONNECT 'x.db'", "CONNECT x", "CONNECT LOCAL", "DISCONNECT", "DROP TRIGGER r ON t"]],
    [
      "triggers",
      ["INSERT", "UPDATE", "DELETE"].map(
        (event) => `CREATE TRIGGER r AFTER ${event} ON t FOR EACH STATEMENT INSERT INTO t VALUES (1)`,
      ),
    ],
    ["secure views", ["CREATE SECURE VIEW v AS SELECT 1", "CREATE OR REPLACE SECURE VIEW v AS SELECT 1"]],
    [
      "writes within a query",
      ["COPY t TO '/tmp/t.csv'", "COPY (SELECT 1) TO '/tmp/t.parquet' (RETURN_STATS)", "COPY t FROM '/tmp/t.csv'"]
        .concat(["INSERT INTO t VALUES (1) RETURNING a", "UPDATE t SET a = 1 RETURNING a", "DELETE FROM t RETURNING a"])
        .flatMap((write) => [
          `WITH x AS (${write}) SELECT * FROM x`,
          `WITH x AS MATERIALIZED (${write}) SELECT 1`,
          `SELECT * FROM (${write})`,
          `SELECT (WITH x AS (${write}) SELECT 1)`,
        ]),
    ],
  ])("%s", async (_what, statements) => {
    expect(await passing(statements)).toEqual([]);
    expect(await passing(statements.map((sql) => `EXPLAIN ${sql}`))).toEqual([]);
  });
});

/** Places that hold an expression, each with `?` for it. */
const EXPRESSIONS = [
  "SELECT ?",
  "SELECT 1 AS a, ? AS b",
  "SELECT 1 WHERE ? = 1",
  "SELECT 1 AS a GROUP BY ?",
  "SELECT 1 AS a GROUP BY ALL HAVING ? = 1",
  "SELECT 1 AS a ORDER BY ?",
  "SELECT 1 LIMIT ?",
  "SELECT 1 LIMIT 1 OFFSET ?",
  "SELECT 1 AS a QUALIFY row_number() OVER () = ?",
  "SELECT sum(1) FILTER (WHERE ? = 1)",
  "SELECT sum(?) OVER (PARTITION BY 1)",
  "SELECT sum(1) OVER (PARTITION BY ?)",
  "SELECT sum(1) OVER (ORDER BY ?)",
  "SELECT sum(1) OVER (ORDER BY 1 ROWS BETWEEN ? PRECEDING AND CURRENT ROW)",
  "SELECT sum(1) OVER w WINDOW w AS (ORDER BY ?)",
  "SELECT string_agg('x', ',' ORDER BY ?)",
  "SELECT count(DISTINCT ?)",
  "SELECT CASE WHEN ? = 1 THEN 1 END",
  "SELECT CASE ? WHEN 1 THEN 1 ELSE 2 END",
  "SELECT CASE 1 WHEN 2 THEN ? ELSE 1 END",
  "SELECT ? BETWEEN 1 AND 2",
  "SELECT 1 IN (?, 2)",
  "SELECT ? IN (SELECT 1)",
  "SELECT CAST(? AS VARCHAR)",
  "SELECT TRY_CAST(? AS INT)",
  "SELECT [?]",
  "SELECT {'a': ?}",
  "SELECT MAP {'a': ?}",
  "SELECT [1, 2][?]",
  "SELECT [x + ? FOR x IN [1]]",
  "SELECT list_transform([1], lambda x: x + ?)",
  "SELECT list_filter([1], lambda x: ? = 1)",
  "SELECT struct_pack(a := ?)",
  "SELECT COLUMNS(*) + ? FROM (SELECT 1 AS a)",
  "SELECT * REPLACE (? AS a) FROM (SELECT 1 AS a)",
  "SELECT (SELECT ?)",
  "SELECT EXISTS (SELECT 1 WHERE ? = 1)",
  "SELECT 1 = ANY (SELECT ?)",
  "SELECT ARRAY(SELECT ?)",
  "VALUES (1), (?)",
  "SELECT * FROM (VALUES (?)) AS t(a)",
  "FROM (SELECT ?)",
  "WITH a AS (SELECT ? AS x) FROM a",
  "WITH a AS MATERIALIZED (SELECT ? AS x) FROM a",
  "WITH RECURSIVE a AS (SELECT 1 AS x UNION ALL SELECT x + ? FROM a WHERE x < 1) FROM a",
  "SELECT 1 UNION SELECT ?",
  "SELECT 1 EXCEPT SELECT ?",
  "SELECT 1 INTERSECT ALL SELECT ?",
  "SELECT 1 FROM range(1) a JOIN range(1) b ON ? = 1",
  "SELECT 1 FROM range(1) a LEFT JOIN range(1) b ON ? = 1",
  "SELECT 1 FROM range(1) a ASOF JOIN range(1) b ON a.range >= ?",
  "SELECT 1 FROM range(1), LATERAL (SELECT ?)",
  "SELECT * FROM range(?)",
  "SELECT unnest([?])",
  "SELECT * FROM (SELECT 1 AS a, 2 AS b) PIVOT (max(b + ?) FOR a IN (1))",
  "SELECT * FROM (SELECT 1 AS a) GROUP BY GROUPING SETS ((?), ())",
  "SELECT * FROM (SELECT 1 AS a) GROUP BY ROLLUP (?)",
  "EXPLAIN SELECT ?",
  "DESCRIBE SELECT ?",
  "SUMMARIZE SELECT ?",
  "SELECT ? IS NULL",
  "SELECT NOT (? = 1)",
  "SELECT -(?)",
  "SELECT 'a' || ?",
  "SELECT coalesce(NULL, ?)",
  "SELECT 'a' LIKE ?",
  "SELECT ? COLLATE nocase",
];

/** Places that hold a table. */
const TABLES = [
  "FROM ?",
  "SELECT * FROM ?",
  "SELECT * FROM ? AS t",
  "SELECT 1 FROM range(1), ?",
  "SELECT 1 FROM range(1) JOIN ? ON true",
  "SELECT 1 FROM range(1) POSITIONAL JOIN ?",
  "SELECT 1 FROM range(1) SEMI JOIN ? ON true",
  "SELECT (SELECT count(*) FROM ?)",
  "SELECT EXISTS (FROM ?)",
  "SELECT 1 WHERE 1 IN (FROM ?)",
  "WITH a AS (FROM ?) FROM a",
  "SELECT 1 UNION ALL FROM ?",
  "SELECT 1 UNION ALL BY NAME FROM ?",
  "FROM (FROM ?)",
  "SELECT * FROM ? TABLESAMPLE 1%",
  "SELECT 1 FROM range(1), LATERAL (FROM ?)",
  "EXPLAIN FROM ?",
  "DESCRIBE FROM ?",
  "SUMMARIZE FROM ?",
  "DESCRIBE ?",
  "SUMMARIZE ?",
];

describe.each([
  [
    "an expression",
    EXPRESSIONS,
    "1",
    [
      "getvariable('x')",
      "\"CURRENT_SETTING\"('temp_directory')",
      "'temp_directory'.current_setting()",
      "(SELECT max(content) FROM read_text('/etc/passwd'))",
      "system.main.current_setting('x')",
      "nextval('s')",
      "sleep_ms(1)",
    ],
  ],
  [
    "a table",
    TABLES,
    "nothing",
    [
      "read_text('/etc/passwd')",
      "glob('*')",
      "duckdb_settings()",
      "query('SELECT 1')",
      "read_csv('/etc/passwd')",
      "read_parquet(['s3://a/b'])",
      "information_schema.views",
    ],
  ],
] as const)("at every place that may hold %s", (_name, places, harmless, harmful) => {
  it("the gate lets pass what does no harm", async () => {
    const statements = places.map((place) => place.replace("?", harmless));
    expect(await passing(statements)).toEqual(statements);
  });

  it.each(harmful)("it refuses %s", async (part) => {
    expect(await passing(places.map((place) => place.replace("?", () => part)))).toEqual([]);
  });
});

it("what filters of docs put around a statement passes the gate", async () => {
  const conditions = ['TRY("a" IN (1, 2))', 'NOT TRY("a" > 1)', 'TRY_CAST("a" AS TIMESTAMP) >= now()'];
  const statements = conditions.map((condition) => `SELECT * FROM (SELECT 1 AS a) AS dataset WHERE ${condition}`);
  expect(await passing(statements)).toEqual(statements);
});

it("a path in the place of a table is the name of one, to be looked for in the lake and nowhere else", async () => {
  for (const [written, name] of [
    ["'/etc/passwd'", "/etc/passwd"],
    ['"files/x.parquet"', "files/x.parquet"],
    ["'x.csv'", "x.csv"],
  ] as const) {
    for (const place of TABLES) {
      const { tables, driveFiles } = await gate.analyse(place.replace("?", written));
      expect(
        tables.map((table) => table.name),
        place,
      ).toContain(name);
      expect(driveFiles).toEqual([]);
    }
  }
});

describe("a text that DuckDB reads otherwise than the tokens it is edited by", () => {
  const payload = "SELECT * FROM read_text($$/etc/passwd$$)";
  it.each([
    [
      "a comment of a line that ends with a carriage return, in an AT clause",
      `SELECT a FROM LAKE.main.t AT (VERSION => 1 --\r ) WHERE a <> '\n ) UNION ALL ${payload} -- '\n LIMIT 5`,
    ],
    [
      "the same within a name",
      `SELECT * FROM lake --\r .information_schema.tables WHERE table_name <> '\n . read_text($$x$$) -- '\n LIMIT 5`,
    ],
    [
      "the same after EXPLAIN ANALYZE, with a second statement",
      `EXPLAIN ANALYZE SELECT a FROM LAKE.main.t AT (VERSION => 1 --\r ) WHERE a <> '\n ); COPY (SELECT 1) TO $$x$$; SELECT $$ -- '\n $$`,
    ],
    [
      "an escape string after a space of Unicode's",
      `SELECT a, \u00a0E'\\'' FROM LAKE.main.t AT (VERSION => 1) WHERE a <> ' UNION ALL ${payload} --'`,
    ],
    [
      "an escape string that goes on in the next line",
      `SELECT a, E'a'\n'b\\'c' FROM LAKE.main.t AT (VERSION => 1) WHERE a <> ' UNION ALL ${payload} --'`,
    ],
    [
      "a name with a dollar sign",
      `SELECT a$b$ FROM LAKE.main.t AT (VERSION => 1), (SELECT 1 AS "a$b$") WHERE $b$ UNION ALL ${payload} $b$ <> ''`,
    ],
  ])("runs as it was walked, or not at all: %s", async (_name, sql) => {
    const analysis = await gate.analyse(sql).catch((error: unknown) => error);
    if (analysis instanceof Failure) return expect(["statement_refused", "sql_error"]).toContain(analysis.code);
    const { body } = analysis as Awaited<ReturnType<Gate["analyse"]>>;
    const walked = await gate.analyse(body);
    expect(walked.explain).toBeUndefined();
    expect((await duckdb.extractStatements(body)).count).toBe(1);
  });
});

it.each(["SELECT * FROM (PIVOT t ON c USING count(*))", "PIVOT t ON c USING count(*)", "FROM (PIVOT t ON c)"])(
  "says how a pivot is written: %s",
  async (sql) => {
    await expect(gate.analyse(sql)).rejects.toThrow(/^PIVOT can be used where its values are listed/);
  },
);

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Judged, and not allowed; beside these all that begin with `__internal_`. */
const REFUSED = new Set([
  // Settings, variables, sequences, the session and its log.
  ...words("current_setting getvariable nextval currval setseed current_query current_query_id current_connection_id"),
  ...words("current_transaction_id txid_current in_search_path write_log parse_duckdb_log_message get_block_size"),
  // Wait without working.
  ...words("sleep_ms pg_sleep"),
  // Plan other SQL, or show how relations are defined.
  ...words("json_serialize_plan pg_get_viewdef pg_get_constraintdef pg_get_expr"),
  // Building blocks that trust what they are given.
  ...words("stats vector_type combine finalize create_sort_key remap_struct variant_bytes_to_variant"),
  ...words("variant_to_parquet_variant variant_normalize timetz_byte_comparable constant_or_null cast_to_type"),
  ...words("can_cast_implicitly"),
]);

/** The parser makes functions of these; DuckDB does not list them. */
const PARSED = ["unnest", "grouping", "grouping_id", "columns"];

/** Scalars, aggregates and macros, also of the extensions that come with DuckDB. */
const functions = async (): Promise<string[]> => {
  const names = await namesOf(
    "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro')",
  );
  return names.map(foldName);
};

const isJudged = (name: string): boolean =>
  ALLOWED_FUNCTIONS.has(name) || REFUSED.has(name) || name.startsWith("__internal_");

describe("the functions that a statement may call", () => {
  it("are judged one by one, and none is missed that DuckDB has", async () => {
    const there = await functions();
    expect(there.length).toBeGreaterThan(800);
    expect(there.filter((name) => !isJudged(name))).toEqual([]);
    expect([...ALLOWED_FUNCTIONS].filter((name) => REFUSED.has(name))).toEqual([]);
  });

  it("are all of this DuckDB's", async () => {
    const there = new Set([...(await functions()), ...PARSED]);
    expect([...ALLOWED_FUNCTIONS, ...REFUSED].filter((name) => !there.has(name))).toEqual([]);
  });

  it("are no others: what nobody judged is found here, and refused by the gate", async () => {
    await duckdb.run("CREATE TEMP MACRO brand_new(x) AS x");
    const unjudged = (await functions()).filter((name) => !isJudged(name));
    await duckdb.run("DROP MACRO brand_new");
    expect(unjudged).toEqual(["brand_new"]);
    expect(await passing(["brand_new", ...REFUSED].map((name) => `SELECT ${name}(1)`))).toEqual([]);
  });
});
