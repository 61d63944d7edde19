// Whatever roles grant and a statement asks: it answers as over a table from which the hidden was deleted.

import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AccessGrant, FilterOperator, RowFilter } from "../../../kernel/access/access.ts";
import { Failure } from "../../../containers/engine/core/failure.ts";
import { quoteLiteral } from "../../../containers/engine/duckdb/quoting.ts";
import { duckdbType } from "../../../containers/engine/parquet/lake-types.ts";
import { seenRow, type CellType, type Row } from "../../support/node/access/filter-oracle.ts";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";

const FILES = 4;
const FILE_ROWS = 1_500;
const COLUMNS = [
  column(1, "id", "int64"),
  column(2, "n", "int32"),
  column(3, "t", "varchar"),
  column(4, "day", "date"),
  column(5, "made", "timestamp"),
  column(6, "b", "boolean"),
  column(7, "pad", "varchar"),
];
const TYPES: Record<string, CellType> = {
  id: "number",
  n: "number",
  t: "text",
  day: "date",
  made: "instant",
  b: "boolean",
  pad: "text",
};
/** Some are clustered by row, so that whole row groups and files hold no row that is seen. */
const CELLS: Record<string, string> = {
  id: "x",
  n: "CASE WHEN x % 7 = 0 THEN NULL ELSE x // 400 - 5 END",
  t: "CASE x % 5 WHEN 0 THEN 'Oslo' WHEN 1 THEN 'oslo fjord' WHEN 2 THEN '50%_' WHEN 3 THEN 'bergen ' || x END",
  day: "CASE WHEN x % 11 = 0 THEN NULL ELSE DATE '2026-01-01' + (x // 300)::INTEGER END",
  made: "TIMESTAMP '2026-01-01 00:00:00' + INTERVAL (x * 5) MINUTE",
  b: "CASE WHEN x % 13 = 0 THEN NULL ELSE x % 3 = 0 END",
  pad: "array_to_string(list_transform(range(12), lambda i: md5((x + i * 1000000)::VARCHAR)), '')",
};

let lake: TestLake;
let rows: Row[];
let [runs, cold] = [0, 0];

beforeAll(async () => {
  lake = await TestLake.open();
  const files = [];
  const selects = [];
  for (let i = 0; i < FILES; i++) {
    const cells = COLUMNS.map((one) => `CAST(${CELLS[one.name]} AS ${duckdbType(one)}) AS ${one.name}`).join(", ");
    const select = `SELECT ${cells} FROM range(${i * FILE_ROWS}, ${(i + 1) * FILE_ROWS}) AS r(x)`;
    const ids = COLUMNS.map(({ id, name }) => `${name}: ${id}`).join(", ");
    const path = await lake.write(`t-${i}.parquet`, select, ids, ", ROW_GROUP_SIZE 2048");
    const deletes = await lake.write(`${path}-deletes`, `SELECT 'x' AS file_path, range * 9 AS pos FROM range(100)`);
    files.push({ path, ...(i % 2 === 0 ? { deletes } : {}) });
    selects.push(
      i % 2 === 0 ? `(${select} WHERE (x - ${i * FILE_ROWS}) % 9 <> 0 OR x - ${i * FILE_ROWS} >= 900)` : select,
    );
  }
  lake.platform.addTable("main", "t", COLUMNS, files);
  rows = await textsOf(selects.join(" UNION ALL "));
}, 120_000);
afterAll(() => lake.close());

async function textsOf(select: string): Promise<Row[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (${select})`);
  const found = reader.getRowObjects() as Row[];
  connection.closeSync();
  instance.closeSync();
  return found;
}

const VALUES: Record<CellType, readonly (string | null)[]> = {
  number: ["-5", "0", "3", "7", "700", "1499", "3000", "5999", "zzz", null],
  text: ["Oslo", "OSLO", "fjord", "%", "_", "bergen 3", "n", "'", null],
  date: ["2026-01-01", "2026-01-07", "2026-01-12", "2025-12-31", "2030-01-01", null],
  instant: ["2026-01-01", "2026-01-05", "2026-01-12", "2026-01-20", null],
  boolean: ["true", "false", null],
};
const COMPARED = ["gt", "gte", "lt", "lte"] as const;
const LISTED = ["equals", "notEquals", "in", "notIn"] as const;
const PARTS = ["contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith"] as const;
const DATED = ["onTheDate", "beforeDate", "beforeOrOnDate", "afterDate", "afterOrOnDate"] as const;

const leaf: fc.Arbitrary<RowFilter> = fc
  .constantFrom(...Object.keys(TYPES).filter((name) => name !== "pad"))
  .chain((member) => {
    const type = TYPES[member]!;
    const value = fc.constantFrom(...VALUES[type]);
    const dated = fc.constantFrom(...VALUES[type].filter((each) => each !== null));
    const make = (operator: FilterOperator, values: fc.Arbitrary<(string | null)[]>): fc.Arbitrary<RowFilter> =>
      values.map((each) => ({ member, operator, values: each }));
    const one = value.map((each) => [each]);
    return fc.oneof(
      ...LISTED.map((operator) => make(operator, fc.array(value, { minLength: 1, maxLength: 3 }))),
      make("set", fc.constant([])),
      make("notSet", fc.constant([])),
      ...(type === "text"
        ? PARTS.map((operator) => make(operator, fc.array(value, { minLength: 1, maxLength: 2 })))
        : []),
      ...(type === "number" || type === "date" ? COMPARED.map((operator) => make(operator, one)) : []),
      ...(type === "date" || type === "instant"
        ? [
            ...DATED.map((operator) =>
              make(
                operator,
                dated.map((each) => [each]),
              ),
            ),
            make("inDateRange", fc.tuple(dated, dated)),
            make("notInDateRange", fc.tuple(dated, dated)),
          ]
        : []),
    );
  });
const filter: fc.Arbitrary<RowFilter> = fc.oneof(
  { weight: 4, arbitrary: leaf },
  fc.array(leaf, { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
  fc.array(leaf, { minLength: 1, maxLength: 2 }).map((and) => ({ and })),
);
const MASKS: Record<string, string | number | boolean | null> = { n: -99, t: "masked", day: null, b: true, pad: "…" };
const grant: fc.Arbitrary<AccessGrant> = fc.record({
  schema: fc.constant("main"),
  table: fc.constant("t"),
  excludes: fc.subarray(["n", "t", "day", "made", "b", "pad"], { maxLength: 3 }),
  masks: fc
    .subarray(Object.keys(MASKS), { maxLength: 2 })
    .map((names) => Object.fromEntries(names.map((name) => [name, MASKS[name]!]))),
  filters: fc.oneof(
    { weight: 1, arbitrary: fc.constant<RowFilter[] | null>(null) },
    { weight: 3, arbitrary: fc.constant<RowFilter[]>([]) },
    { weight: 8, arbitrary: fc.array(filter, { minLength: 1, maxLength: 2 }) },
  ),
});

const asked = fc.constantFrom(
  "id < 700",
  "id BETWEEN 3000 AND 3010",
  "n > 5",
  "n IS NULL",
  "t LIKE '%o%'",
  "t = 'Oslo' OR n = 3",
  "day >= DATE '2026-01-10'",
  "made::DATE = DATE '2026-01-04'",
  "b",
  "pad > 'f'",
  "n = -99 OR t = 'masked'",
  "id IN (1, 2, 3, 4000, 5999)",
  "CASE WHEN id < 0 THEN error(pad) ELSE true END",
);
const bound = fc.constantFrom(0, 1, 10, 500, 1_499, 5_000, 9_000);
const statement: fc.Arbitrary<string> = fc.oneof(
  asked.map(
    (where) => `SELECT count(*) AS n, sum(id) AS s, min(t) AS t, max(day) AS d, count(b) AS b FROM t WHERE ${where}`,
  ),
  asked.map((where) => `SELECT * FROM t WHERE ${where} ORDER BY id LIMIT 30`),
  asked.map((where) => `SELECT * EXCLUDE (id) FROM t WHERE ${where} ORDER BY id DESC LIMIT 7`),
  fc.constantFrom(
    "SELECT count(*) AS n FROM t",
    "SELECT count(*) AS n FROM t WHERE 1 = 1",
    "SELECT EXISTS (FROM t) AS e",
  ),
  fc.constantFrom(
    "SELECT min(id) AS a, max(id) AS b FROM t",
    "SELECT min(made) AS a, max(n) AS b, max(pad) AS c FROM t",
  ),
  fc.constantFrom(
    "DESCRIBE t",
    "SELECT COLUMNS('^[a-z]+$') FROM t ORDER BY id LIMIT 3",
    "SELECT pad FROM t ORDER BY id LIMIT 3",
  ),
  bound.map((limit) => `SELECT count(*) AS n, count(id) AS m FROM (FROM t LIMIT ${limit})`),
  bound.map((limit) => `SELECT count(*) AS n FROM (SELECT id FROM t OFFSET ${limit})`),
  fc
    .tuple(asked, asked)
    .map(
      ([one, two]) =>
        `SELECT count(*) AS n, sum(a.id) AS s FROM (FROM t WHERE ${one}) a JOIN (FROM t WHERE ${two}) b USING (id)`,
    ),
  fc
    .tuple(asked, asked)
    .map(([one, two]) => `SELECT count(*) FILTER (WHERE ${one}) AS n, count(*) FILTER (WHERE ${two}) AS m FROM t`),
  asked.map((where) => `SELECT t, count(*) AS n, max(id) AS m FROM t WHERE ${where} GROUP BY t ORDER BY ALL`),
  asked.map(
    (where) =>
      `SELECT r.k, (SELECT count(*) FROM t WHERE t.n = r.k AND ${where}) AS n FROM range(4) AS r(k) ORDER BY ALL`,
  ),
  asked.map((where) => `SELECT count(*) AS n FROM (FROM t WHERE ${where} UNION ALL FROM t)`),
);

/** The table with nothing hidden in it; undefined where none of its columns is seen. */
async function addTwin(name: string, roles: readonly AccessGrant[]): Promise<boolean> {
  const shown = COLUMNS.filter((one) => roles.some(({ excludes }) => !excludes.includes(one.name)));
  if (shown.length === 0) return false;
  const seen = rows.map((row) => seenRow(row, TYPES, roles)).filter((row) => row !== undefined);
  const file = join(lake.directory, `${name}.ndjson`);
  writeFileSync(file, seen.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const texts = shown.map((one) => `${one.name}: 'VARCHAR'`).join(", ");
  const cells = shown.map((one) => `CAST(${one.name} AS ${duckdbType(one)}) AS ${one.name}`).join(", ");
  const path = await lake.write(
    `${name}.parquet`,
    `SELECT ${cells} FROM read_json(${quoteLiteral(file)}, format = 'newline_delimited', columns = {${texts}})`,
    shown.map(({ id, name }) => `${name}: ${id}`).join(", "),
  );
  lake.platform.addTable("main", name, shown, seen.length > 0 ? [{ path }] : []);
  return true;
}

const onTwin = (sql: string, twin: string): string =>
  sql.replaceAll(/\bFROM t\b/g, `FROM ${twin} AS t`).replace("DESCRIBE t", `DESCRIBE ${twin}`);

type Answer = { code: string } | { data: unknown; columns: string[] };
const answerOf = async (sql: string, grant: object): Promise<Answer> => {
  try {
    const { data, columns } = await lake.document(sql, { grant });
    return { data, columns };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { code: error.code };
  }
};

it("answers as if the hidden were not there, with files at hand and not", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(grant, { minLength: 1, maxLength: 3 }),
      fc.array(statement, { minLength: 4, maxLength: 4 }),
      async (roles, statements) => {
        const [token, twin] = [`member-${++runs}`, `twin_${runs}`];
        lake.platform.roles.set(
          token,
          roles.map((role) => [role]),
        );
        const isThere = await addTwin(twin, roles);
        for (const sql of statements) {
          const expected: Answer = isThere
            ? await answerOf(onTwin(sql, twin), { lakeId: `twins-${runs}` })
            : { code: "sql_error" };
          for (const lakeId of [`cold-${++cold}`, "warm"])
            expect([sql, roles, await answerOf(sql, { token, lakeId })]).toEqual([sql, roles, expected]);
        }
      },
    ),
    { numRuns: 15 },
  );
}, 900_000);
