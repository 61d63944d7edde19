import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ColumnStatistics } from "../../../kernel/lake/commit.ts";
import { duckdbType } from "../../../containers/engine/parquet/lake-types.ts";
import { quoteIdentifier, quoteLiteral } from "../../../containers/engine/duckdb/quoting.ts";
import { writeParquet } from "../../../containers/engine/parquet/writer.ts";
import { QueryProcess } from "../../../containers/engine/lake/process/query-process.ts";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";

const FILES = 7;
const FILE_ROWS = 12_000;
const COLUMNS = [
  column(1, "id", "int64"),
  column(2, "n", "int32"),
  column(3, "f", "float64"),
  column(4, "r", "float32"),
  column(5, "t", "varchar"),
  column(6, "d", "decimal(12,2)"),
  column(7, "big", "decimal(30,4)"),
  column(8, "day", "date"),
  column(9, "ts", "timestamp"),
  column(10, "made", "timestamptz"),
  column(11, "b", "boolean"),
  column(12, "u", "uuid"),
  column(13, "pad", "varchar"),
];
/**
 * Values clustered by row, as they are in tables that grow, with what statistics are apt to get wrong strewn in. `x` is
 * the row's number in the table.
 */
const CELLS: Record<string, string> = {
  id: "x",
  n: "CASE WHEN x % 5 = 0 OR x // 3000 % 4 = 2 THEN NULL ELSE x // 500 - 60 END",
  f: `CASE WHEN x // 2000 IN (1, 7, 25) AND x % 97 = 0 THEN 'NaN' WHEN x // 6000 = 5 AND x % 89 = 0 THEN '-inf' WHEN x // 6000 = 9 AND x % 83 = 0 THEN 'inf'
        WHEN x // 1000 = 30 THEN (CASE WHEN x % 2 = 0 THEN '-0.0' ELSE '0.0' END) WHEN x % 11 = 0 THEN NULL ELSE ((x - 30000) / 8)::VARCHAR END`,
  r: "CASE WHEN x // 12000 = 3 THEN 'NaN' WHEN x % 13 = 0 THEN NULL ELSE (x / 1000)::VARCHAR END",
  t: `CASE x // 4000 % 4 WHEN 0 THEN repeat('k', 300) || lpad(x::VARCHAR, 6, '0') WHEN 1 THEN 'é' || chr((128512 + x % 9)::INTEGER) || x::VARCHAR WHEN 2 THEN rpad('w', (1 + x % 5)::INTEGER, ' ') ELSE (CASE WHEN x % 2 = 0 THEN NULL ELSE '' END) END`,
  d: "CASE WHEN x % 17 = 0 THEN NULL ELSE (x - 40000) / 100 END",
  big: "(x - 40000)::DECIMAL(30,4) * 12345678901234::DECIMAL(20,0)",
  day: "CASE WHEN x // 5000 = 7 AND x % 71 = 0 THEN 'infinity'::DATE WHEN x % 19 = 0 THEN NULL ELSE DATE '2024-01-01' + (x // 1000)::INTEGER END",
  ts: "CASE WHEN x // 9000 = 2 AND x % 61 = 0 THEN '-infinity'::TIMESTAMP ELSE TIMESTAMP '1969-12-20 00:00:00.000001' + INTERVAL (x) MINUTE END",
  made: "TIMESTAMPTZ '2024-01-01 00:00:00.123456+00' + INTERVAL (x) MINUTE",
  b: "CASE WHEN x // 7000 % 3 = 0 THEN NULL ELSE x // 7000 % 3 = 1 END",
  u: "(lpad(to_hex(x), 8, '0') || '-0000-4000-8000-000000000000')::UUID",
  pad: "array_to_string(list_transform(range(9), lambda i: md5((x + i * 1000000)::VARCHAR)), '')",
};

let lake: TestLake;
let cold = 0;
const WHOLE = { grant: { lakeId: "whole" } };

beforeAll(async () => {
  lake = await TestLake.open();
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const cells = COLUMNS.map(({ name }) => `${CELLS[name]} AS ${quoteIdentifier(name)}`).join(", ");
  const files = [];
  const reported: ColumnStatistics[][] = [];
  for (let i = 0; i < FILES; i++) {
    const select = `SELECT ${cells} FROM (SELECT ${i * FILE_ROWS} + range AS x FROM range(${FILE_ROWS}))`;
    const typed = `SELECT ${COLUMNS.map((one) => `CAST(${one.name} AS ${duckdbType(one)}) AS ${one.name}`).join(", ")} FROM (${select})`;
    const path = await lake.write(
      `pruned-${i}.parquet`,
      typed,
      COLUMNS.map(({ id, name }) => `${name}: ${id}`).join(", "),
      ", COMPRESSION zstd, ROW_GROUP_SIZE 2048",
    );
    // The statistics are those that the engine writes.
    const twin = join(lake.directory, "twin.parquet");
    const written = (await writeParquet(connection, { select, columns: COLUMNS }, twin))!;
    const [odd] = (
      await connection.runAndReadAll(
        `SELECT coalesce(bool_or(isnan(f)), false), coalesce(bool_or(isnan(r)), false) FROM ${quoteLiteral(twin)}`,
      )
    ).getRows() as [[boolean, boolean]];
    // A sync's reader tells which columns have no NaN; of a column that has some nothing is known.
    reported.push(
      written.statistics.map((one) =>
        one.columnId === 3 || one.columnId === 4 ? { ...one, containsNan: odd[one.columnId - 3] ? null : false } : one,
      ),
    );
    // The delete files cover the first rows, some rows throughout, or no rows.
    const deletes =
      i === 0
        ? `SELECT 'x' AS file_path, range AS pos FROM range(700)`
        : i === 4
          ? `SELECT 'x' AS file_path, range * 7 AS pos FROM range(1000)`
          : undefined;
    files.push({ path, ...(deletes ? { deletes: await lake.write(`pruned-${i}-deletes.parquet`, deletes) } : {}) });
  }
  connection.closeSync();
  instance.closeSync();
  const table = lake.platform.addTable("main", "p", COLUMNS, files);
  table.files.forEach((file, i) => (file.statistics = reported[i]!));
  await lake.rows("SELECT sum(hash(COLUMNS(*))) FROM p", WHOLE);
}, 120_000);
afterAll(() => lake.close());
afterEach(() => vi.restoreAllMocks());

const CONSTANTS: Record<string, readonly string[]> = {
  id: ["0", "699", "700", "11999", "12000", "12001", "35000", "83999", "-1", "1000000"],
  n: ["-60", "0", "7", "41", "107", "108", "-61"],
  f: [
    "0",
    "-0.0::DOUBLE",
    "'NaN'::DOUBLE",
    "'inf'::DOUBLE",
    "'-inf'::DOUBLE",
    "1e0",
    "-3750",
    "6749.875",
    "1e300",
    "0.1",
  ],
  r: ["'NaN'::FLOAT", "0.1::FLOAT", "11.999::FLOAT", "48", "83.999::FLOAT", "-1", "61.44"],
  t: [
    "''",
    "'w'",
    "'w  '",
    "'é'",
    "repeat('k', 300)",
    "repeat('k', 300) || '002000'",
    "repeat('k', 301)",
    "'kk'",
    "'é😀'",
    "chr(1114111)",
  ],
  d: ["-400", "-0.01", "0", "0.00", "199.99", "439.99", "440", "1e0"],
  big: ["0", "-493827156049360000", "543209764660146000.0000", "12345678901234.0000"],
  day: ["DATE '2024-01-01'", "DATE '2024-02-20'", "DATE '2024-03-24'", "DATE 'infinity'", "DATE '1900-01-01'"],
  ts: [
    "TIMESTAMP '1970-01-01'",
    "TIMESTAMP '1969-12-31 23:59:59.999999'",
    "TIMESTAMP '-infinity'",
    "DATE '1970-02-01'",
    "TIMESTAMP '1969-12-20 00:00:00.000001'",
  ],
  made: [
    "TIMESTAMPTZ '2024-01-20 00:00:00+00'",
    "TIMESTAMPTZ '2024-01-09 08:00:00.123456+00'",
    "TIMESTAMPTZ '2024-02-28 02:00:00+02'",
    "TIMESTAMPTZ '2024-01-01 00:00:00.123456+00'",
  ],
  "made::DATE": ["DATE '2024-01-01'", "DATE '2024-01-20'", "DATE '2024-02-28'", "DATE '2024-03-01'"],
  "ts::DATE": ["DATE '1970-01-01'", "DATE '1969-12-31'", "DATE '1970-02-16'"],
  "date_trunc('week', made)": ["TIMESTAMPTZ '2024-01-15 00:00:00+00'", "TIMESTAMPTZ '2024-01-16 00:00:00+00'"],
  b: ["true", "false"],
  u: [
    "'00002ee0-0000-4000-8000-000000000000'::UUID",
    "'00000000-0000-4000-8000-000000000000'::UUID",
    "'ffffffff-0000-4000-8000-000000000000'::UUID",
  ],
};

const comparison = fc.constantFrom(...Object.keys(CONSTANTS)).chain((name) => {
  const constant = fc.constantFrom(...CONSTANTS[name]!);
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom("=", "<", "<=", ">", ">=", "<>", "IS NOT DISTINCT FROM"), constant)
        .map(([op, value]) => `${name} ${op} ${value}`),
    },
    fc.tuple(fc.constantFrom("<", ">="), constant).map(([op, value]) => `${value} ${op} ${name}`),
    { weight: 2, arbitrary: fc.tuple(constant, constant).map(([low, high]) => `${name} BETWEEN ${low} AND ${high}`) },
    {
      weight: 2,
      arbitrary: fc
        .array(constant, { minLength: 1, maxLength: 4 })
        .map((values) => `${name} IN (${values.join(", ")})`),
    },
    fc.constantFrom(`${name} IS NULL`, `${name} IS NOT NULL`),
  );
});
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 3, arbitrary: comparison },
    fc.constantFrom(
      "t LIKE 'kk%'",
      "t LIKE 'é%'",
      "starts_with(t, 'w')",
      "coalesce(n, 3) = 3",
      "id % 1000 = 7",
      "length(t) > 300",
    ),
    {
      weight: 2,
      arbitrary: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }).map((all) => `(${all.join(" OR ")})`),
    },
    {
      weight: 2,
      arbitrary: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }).map((all) => `(${all.join(" AND ")})`),
    },
    tie("condition").map((inner) => `NOT (${inner})`),
  ),
}));
const rows = fc.constantFrom(0, 1, 10, 700, 5_000, 11_300, 11_301, 12_000, 40_000, 90_000);
const query = fc.oneof(
  {
    weight: 4,
    arbitrary: condition.map(
      (where) => `SELECT count(*) AS n, sum(id) AS s, min(t) AS t, count(f) AS f FROM p WHERE ${where}`,
    ),
  },
  condition.map((where) => `SELECT id, pad FROM p WHERE ${where} ORDER BY id LIMIT 20`),
  fc
    .tuple(condition, condition)
    .map(
      ([one, two]) =>
        `SELECT count(*) AS n, sum(v) AS s FROM (SELECT id AS v FROM p WHERE ${one} UNION ALL SELECT n FROM p WHERE ${two})`,
    ),
  fc
    .tuple(condition, condition)
    .map(
      ([one, two]) =>
        `SELECT count(*) AS n, sum(a.id) AS s, max(b.pad) AS m FROM (SELECT * FROM p WHERE ${one}) AS a JOIN (SELECT * FROM p WHERE ${two}) AS b ON a.id = b.id + 1`,
    ),
  condition.map((where) => `SELECT count(*) AS n, (SELECT count(*) FROM p WHERE ${where}) AS m FROM p`),
  fc
    .tuple(rows, rows)
    .map(
      ([limit, offset]) =>
        `SELECT count(DISTINCT id) AS n, count(u) AS u, min(id) >= 700 AS isLeft FROM (SELECT id, u FROM p LIMIT ${limit} OFFSET ${offset})`,
    ),
  fc
    .tuple(rows, condition)
    .map(
      ([limit, where]) =>
        `SELECT (SELECT count(u) FROM (FROM p LIMIT ${limit})) AS n, sum(id) AS m FROM p WHERE ${where}`,
    ),
  fc
    .tuple(rows, condition)
    .map(
      ([limit, where]) =>
        `SELECT count(*) AS n, count(DISTINCT id) AS m FROM (SELECT id FROM p WHERE ${where} LIMIT ${limit}) WHERE id >= 0`,
    ),
);

async function askCold(sql: string): Promise<{ rows: unknown[]; bytes: number }> {
  const before = lake.platform.bytesRead;
  const answer = await lake.rows(sql, { grant: { lakeId: `cold-${++cold}` } });
  return { rows: answer, bytes: lake.platform.bytesRead - before };
}

describe("a statement that leaves out what can't matter", () => {
  it("answers as over whole files, whatever it asks", async () => {
    await fc.assert(
      fc.asyncProperty(query, async (sql) => {
        const expected = await lake.rows(sql, WHOLE);
        expect([sql, (await askCold(sql)).rows]).toEqual([sql, expected]);
      }),
      { numRuns: 40 },
    );
  }, 600_000);

  const size = (): number =>
    lake.platform.tables.find(({ name }) => name === "p")!.files.reduce((sum, { bytes }) => sum + bytes, 0);

  it.each([
    ["by OR over one column", "SELECT sum(id) AS s FROM p WHERE id < 100 + 700 OR id > 83990", 0.3],
    [
      "by OR over two columns",
      "SELECT sum(id) AS s FROM p WHERE id < 800 OR made > TIMESTAMPTZ '2024-02-28 07:00:00+00'",
      0.3,
    ],
    ["by OR of ranges", "SELECT max(pad) AS m FROM p WHERE id BETWEEN 700 AND 900 OR id BETWEEN 83000 AND 83100", 0.35],
    ["by floats", "SELECT max(pad) AS m FROM p WHERE f > 6700 AND f < 1e9", 0.3],
    ["by days of instants with a zone", "SELECT max(pad) AS m FROM p WHERE made::DATE = DATE '2024-02-01'", 0.4],
    [
      "where it is scanned twice",
      "SELECT max(a.pad) AS m, min(b.pad) AS n FROM p AS a, p AS b WHERE a.id = 800 AND b.id = 83000",
      0.3,
    ],
    [
      "where two scans read other columns",
      "SELECT (SELECT max(pad) FROM p WHERE id < 900) AS a, (SELECT sum(n) FROM p WHERE id > 83000) AS b",
      0.3,
    ],
  ])("is spared the rest %s", async (_, sql, share) => {
    const runs = vi.spyOn(QueryProcess.prototype, "run");
    const asked = { rowsMax: 5_000 };
    const before = lake.platform.bytesRead;
    const found = await lake.document(sql, { ...asked, grant: { lakeId: `cold-${++cold}` } });
    expect(runs).toHaveBeenCalledTimes(1);
    expect((lake.platform.bytesRead - before) / size()).toBeLessThan(share);
    expect(found.data).toEqual((await lake.document(sql, { ...asked, ...WHOLE })).data);
  });

  it("is spared all but the first rows where any will do", async () => {
    // Which rows those are DuckDB does not promise.
    for (const [sql, rowsMax, count, share] of [
      ["FROM p LIMIT 10", 5_000, 10, 0.04],
      ["SELECT * FROM p LIMIT 11300 OFFSET 100", 100_000, 11_300, 0.2],
      ["FROM p", 3_000, 3_000, 0.1],
    ] as const) {
      const before = lake.platform.bytesRead;
      const { data } = await lake.document(sql, { rowsMax, grant: { lakeId: `cold-${++cold}` } });
      expect([sql, (lake.platform.bytesRead - before) / size() < share]).toEqual([sql, true]);
      const ids = data.map(({ id }) => id as number);
      expect([sql, new Set(ids).size]).toEqual([sql, count]);
      expect(data.slice(0, 50)).toEqual(
        await lake.rows(
          `FROM p WHERE id IN (${ids.slice(0, 50).join(", ")}) ORDER BY list_position([${ids.slice(0, 50).join(", ")}], id)`,
          WHOLE,
        ),
      );
    }
  });

  it("fetches nothing where rows are only counted", async () => {
    for (const sql of [
      "SELECT count(*) AS n FROM p",
      "SELECT count(*) AS n FROM p WHERE 1 = 1",
      "SELECT EXISTS (FROM p) AS n",
      "SELECT count(*) AS n FROM (SELECT 1 FROM p)",
      "SELECT count(*) AS n FROM p AS a, (FROM p LIMIT 3) AS b",
    ]) {
      const { rows, bytes } = await askCold(sql);
      expect([sql, rows, bytes]).toEqual([sql, await lake.rows(sql, WHOLE), 0]);
    }
    expect((await askCold("SELECT count(*) AS n FROM p")).rows).toEqual([{ n: FILES * FILE_ROWS - 1_700 }]);
  });

  it("reads what was only counted after all where the plan reads it", async () => {
    vi.spyOn(QueryProcess.prototype, "probe").mockResolvedValue([
      { catalog: "LAKE", schema: "main", table: "p", columns: [], predicate: [[]], skipping: [], rowsMax: null },
    ]);
    expect((await askCold("SELECT max(id) AS m FROM p")).rows).toEqual([{ m: FILES * FILE_ROWS - 1 }]);
  });
});
