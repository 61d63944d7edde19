// Values that formats are known to bend, on their way through Parquet and back: the lake has what DuckDB has.

import { tableFromIPC } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { lakeBesideDuckdb } from "../../support/node/lake/lake-beside-duckdb.ts";

const pair = lakeBesideDuckdb();

/** By type: cells of one column, in which each must stay what it is beside the others. */
const CELLS: Array<[type: string, cells: string[]]> = [
  [
    "DOUBLE",
    [
      "0.0::DOUBLE",
      "-0.0::DOUBLE",
      "0.0::DOUBLE",
      "'nan'::DOUBLE",
      "'inf'::DOUBLE",
      "'-inf'::DOUBLE",
      "5e-324::DOUBLE",
      "1.7976931348623157e308::DOUBLE",
      "NULL",
    ],
  ],
  ["FLOAT", ["-0.0::FLOAT", "0.0::FLOAT", "'nan'::FLOAT", "1.4e-45::FLOAT", "3.4028235e38::FLOAT", "NULL"]],
  ["DOUBLE[]", ["[0.0::DOUBLE, -0.0::DOUBLE]", "[-0.0::DOUBLE, 0.0::DOUBLE]", "[]", "NULL", "[NULL]"]],
  [
    "STRUCT(a DOUBLE, b FLOAT[][])",
    [
      "{'a': -0.0::DOUBLE, 'b': [[0.0::FLOAT, -0.0::FLOAT], NULL, []]}",
      "{'a': 0.0::DOUBLE, 'b': NULL}",
      "{'a': NULL, 'b': [NULL]}",
      "NULL",
    ],
  ],
  [
    "MAP(DOUBLE, DOUBLE)",
    ["MAP {0.0::DOUBLE: -0.0::DOUBLE}", "MAP {-0.0::DOUBLE: 0.0::DOUBLE}", "MAP {1e0: NULL}", "MAP {}", "NULL"],
  ],
  [
    "VARCHAR",
    [
      "''",
      "NULL",
      "chr(65279) || 'abc'",
      "chr(65279)",
      "'abc' || chr(65279)",
      "chr(65279) || chr(65279) || repeat('long', 9)",
      "'a' || chr(0) || 'b'",
      "chr(0)",
      "' '",
      "'NULL'",
      "'é'",
      "'e' || chr(769)",
      "chr(1114111)",
      "chr(65535)",
      "chr(13) || chr(10)",
      "'\"'",
    ],
  ],
  ["VARCHAR[]", ["[chr(65279) || 'abc', '', NULL]", "[]", "[NULL]", "NULL", "['']"]],
  ["BLOB", ["''::BLOB", "NULL", "'\\xEF\\xBB\\xBFabc'::BLOB", "'\\x00'::BLOB", "'\\xED\\xA0\\x80'::BLOB"]],
  ["STRUCT(x INTEGER)", ["{'x': NULL}", "NULL", "{'x': 1}"]],
  ["STRUCT(x INTEGER)[]", ["[NULL, {'x': NULL}]", "[]", "NULL", "[NULL]", "[{'x': 1}, NULL]"]],
  [
    "STRUCT(x VARCHAR, y STRUCT(z INTEGER)[])[]",
    ["[NULL, {'x': '', 'y': [NULL, {'z': NULL}, {'z': 1}]}, {'x': NULL, 'y': NULL}, {'x': 'a', 'y': []}]", "NULL"],
  ],
  ["INTEGER[][]", ["[[1], NULL, [], [NULL]]", "[]", "NULL", "[NULL]"]],
  ["MAP(VARCHAR, INTEGER[])", ["MAP {'': NULL, 'a': [], 'b': [NULL]}", "MAP {}", "NULL"]],
  ["MAP(VARCHAR, STRUCT(a INTEGER))[]", ["[MAP {'k': NULL}, NULL, MAP {}, MAP {'k': {'a': NULL}}]", "[]", "NULL"]],
  ["TIME", ["TIME '00:00:00'", "TIME '24:00:00'", "TIME '23:59:59.999999'", "NULL"]],
  [
    "DATE",
    [
      "DATE '0044-03-15 (BC)'",
      "DATE '0001-01-01'",
      "DATE '99999-12-31'",
      "DATE '5877642-06-25 (BC)'",
      "DATE '5881580-07-10'",
      "'infinity'::DATE",
      "'-infinity'::DATE",
      "NULL",
    ],
  ],
  [
    "TIMESTAMP",
    [
      "TIMESTAMP '290309-12-22 (BC) 00:00:00'",
      "TIMESTAMP '294247-01-10 04:00:54.775806'",
      "TIMESTAMP '10000-01-01 00:00:00'",
      "'infinity'::TIMESTAMP",
      "'-infinity'::TIMESTAMP",
      "TIMESTAMP '1969-12-31 23:59:59.999999'",
    ],
  ],
  [
    "TIMESTAMPTZ",
    [
      "TIMESTAMPTZ '290309-12-22 (BC) 00:00:00+00'",
      "TIMESTAMPTZ '10000-01-01 00:00:00+00'",
      "'infinity'::TIMESTAMPTZ",
      "'-infinity'::TIMESTAMPTZ",
    ],
  ],
  [
    "TIMESTAMP_NS",
    [
      "TIMESTAMP_NS '1677-09-22 00:12:43.145224193'",
      "TIMESTAMP_NS '2262-04-11 23:47:16.854775806'",
      "'infinity'::TIMESTAMP_NS",
      "NULL",
    ],
  ],
  ["TIMESTAMP_S", ["TIMESTAMP_S '290000-01-01 00:00:00'", "TIMESTAMP_S '0044-03-15 (BC) 10:00:00'", "NULL"]],
  ["TIMESTAMP_MS", ["TIMESTAMP_MS '290000-01-01 00:00:00.123'", "'infinity'::TIMESTAMP_MS", "NULL"]],
  [
    "DECIMAL(38,38)",
    [
      "'0.00000000000000000000000000000000000001'::DECIMAL(38,38)",
      "'-0.99999999999999999999999999999999999999'::DECIMAL(38,38)",
      "0",
    ],
  ],
  [
    "DECIMAL(38,0)",
    [
      "'99999999999999999999999999999999999999'::DECIMAL(38,0)",
      "'-99999999999999999999999999999999999999'::DECIMAL(38,0)",
    ],
  ],
  ["UBIGINT", ["18446744073709551615", "0", "9223372036854775808"]],
  ["BIGINT", ["9223372036854775807", "-9223372036854775808"]],
  [
    "JSON",
    ["'null'::JSON", "NULL", "'\"\\ud83d\\ude00\"'::JSON", "'\"\\u0000\"'::JSON", "'-0.0'::JSON", "'1e400'::JSON"],
  ],
  ["UUID", ["'00000000-0000-0000-0000-000000000000'::UUID", "'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID", "NULL"]],
];

/** In bytes: what reads text may take some of it for a mark of its encoding. */
const READ_SQL = "SELECT n, typeof(v) AS type, hex(encode(CAST(v AS VARCHAR))) AS bytes FROM t ORDER BY n";
/**
 * So many of each that Parquet's dictionaries are worth it, and rows of one file that are left when others are deleted.
 */
const COPIES = 40;

describe("what is written comes back", () => {
  it.each(CELLS)("as %s", async (type, cells) => {
    const create = `CREATE OR REPLACE TABLE t (n INTEGER, v ${type})`;
    const values = cells.map((cell, n) => `(${n}, ${cell})`).join(", ");
    const query = cells.map((cell, n) => `SELECT ${n}, CAST(${cell} AS ${type})`).join(" UNION ALL ");
    const many = `INSERT INTO t SELECT i * 100 + n, v FROM (${query}) AS q(n, v), range(1, ${COPIES}) AS r(i)`;
    for (const sql of [create, `INSERT INTO t VALUES ${values}`, many, "UPDATE t SET n = n + 10000 WHERE n % 3 = 0"])
      await pair.both(sql);
    const expected = (await pair.duckdb.runAndReadAll(READ_SQL)).getRowObjectsJson();
    expect(await pair.lake.rows(READ_SQL)).toEqual(expected);
  });

  it("as zeros of either sign, which are found as one value", async () => {
    await pair.lake.ask(
      "CREATE OR REPLACE TABLE t AS SELECT CASE i % 3 WHEN 0 THEN 0e0 WHEN 1 THEN -0.0::DOUBLE ELSE i::DOUBLE END AS v FROM range(300) AS r(i)",
    );
    expect(
      await pair.lake.rows("SELECT count(*) AS all, count(*) FILTER (signbit(v)) AS negative FROM t WHERE v = 0"),
    ).toEqual([{ all: 200, negative: 100 }]);
  });

  it("as NULL within structs within lists, whose files' statistics leave nothing out", async () => {
    await pair.lake.ask("CREATE OR REPLACE TABLE t AS SELECT [NULL, {'x': NULL}, {'x': 1}] AS v");
    await pair.lake.ask("INSERT INTO t VALUES ([NULL, {'x': NULL}])");
    expect(await pair.lake.rows("SELECT count(*) AS n FROM t WHERE list_contains(v, {'x': 1})")).toEqual([{ n: 1 }]);
  });
});

describe("a byte order mark is part of a text", () => {
  const MARKED = "chr(65279) || 'abc'";

  it("in every format, and in the names of columns", async () => {
    const sql = `SELECT ${MARKED} AS "\uFEFFv", NULL AS w, repeat(${MARKED}, 9) AS long`;
    const [short, long] = ["\uFEFFabc", "\uFEFFabc".repeat(9)];
    expect(await pair.lake.rows(sql)).toEqual([{ "\uFEFFv": short, w: null, long }]);
    expect(await pair.lake.ask(sql, { format: "ndjson" })).toBe(`{"\uFEFFv":"${short}","w":null,"long":"${long}"}\n`);
    expect(await pair.lake.ask(sql, { format: "csv" })).toBe(`\uFEFFv,w,long\n${short},,${long}\n`);
    const arrow = await pair.lake.bytes(sql, { format: "arrow" });
    for (const text of [short, long, "\uFEFFv"]) expect(arrow.includes(text), text).toBe(true);
    const [values, , longs] = tableFromIPC(arrow).batches[0]!.data.children.map(({ values, valueOffsets }) =>
      Buffer.from(values as Uint8Array).toString("utf8", 0, valueOffsets?.[1]),
    );
    expect([values, longs]).toEqual([short, long]);
  });

  it("in bounds of files, by which rows are looked for, and in columns that are read back", async () => {
    await pair.lake.ask(`CREATE OR REPLACE TABLE marked AS SELECT ${MARKED} AS v, 1 AS "\uFEFFn"`);
    const bounds = pair.lake.platform.storage.sql.exec(
      "SELECT min_value, max_value FROM ducklake_file_column_stats JOIN ducklake_table USING (table_id) WHERE table_name = 'marked' ORDER BY column_id",
    );
    expect([...bounds.raw()]).toEqual([
      ["\uFEFFabc", "\uFEFFabc"],
      ["1", "1"],
    ]);
    expect(await pair.lake.rows(`SELECT v, "\uFEFFn" FROM marked WHERE v > 'z'`)).toEqual([
      { v: "\uFEFFabc", "\uFEFFn": 1 },
    ]);
  });
});
