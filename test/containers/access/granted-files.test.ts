// A role's own conditions leave out files, on the real catalog with the statistics that our writer makes: no row that
// the role grants is lost, and nothing that a statement says has a part in it.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessGrant, FilterOperator, RowFilter } from "../../../kernel/access/access.ts";
import { FILTER_OPERATORS } from "../../../kernel/access/access.ts";
import { indexAccess } from "../../../kernel/access/decide-table.ts";
import type { LakeColumn, LakeTable, Predicate, TablePlan } from "../../../kernel/lake/lake.ts";
import { DUCKDB_FILTERS, duckdbFilterColumn } from "../../../containers/engine/access/duckdb-filters.ts";
import { conditionSql, either } from "../../../containers/engine/access/row-filter-sql.ts";
import { duckdbType } from "../../../containers/engine/parquet/lake-types.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import { valueOf } from "../../../src/core/answer.ts";
import { describeCatalog } from "../../../src/lake/plan/describe.ts";
import { pathsOfFiles, planTables } from "../../../src/lake/plan/plan.ts";
import { column } from "../../support/node/lake/test-lake.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";

const FILES = 12;
const FILE_ROWS = 40;
const RUNS = 1_500;
/** The number of a row's file. */
const FILE = `x // ${FILE_ROWS}`;
/** By the file's number most are clustered, some not. */
const COLUMNS: [LakeColumn, cell: string][] = [
  [column(1, "big", "int64"), "9007199254740990 + x"],
  [column(2, "small", "int8"), `CASE WHEN x % 5 > 0 THEN ${FILE} - 6 END`],
  [column(3, "price", "decimal(10,2)"), "(x - 200) / 8"],
  [column(4, "ratio", "float64"), `CASE WHEN x = 130 THEN 'nan'::DOUBLE ELSE 0.1 * (${FILE}) END`],
  [column(5, "thin", "float32"), `CASE WHEN x % 3 > 0 THEN 0.1 * (${FILE}) END`],
  [
    column(6, "word", "varchar"),
    `chr((97 + ${FILE})::INTEGER) || CASE x % 3 WHEN 0 THEN 'é' WHEN 1 THEN '🐟' ELSE '' END`,
  ],
  [column(7, "long", "varchar"), `repeat(chr((97 + ${FILE} % 4)::INTEGER), 300) || x`],
  [column(8, "day", "date"), "DATE '2026-01-01' + (x // 10)::INTEGER"],
  [column(9, "at", "timestamp"), "TIMESTAMP '2026-01-01' + INTERVAL (x) HOUR"],
  [column(10, "tz", "timestamptz"), "TIMESTAMPTZ '2026-01-01 00:00:00+00' + INTERVAL (x * 90) MINUTE"],
  [column(11, "ms", "timestamp_ms"), "TIMESTAMP '2026-01-01' + INTERVAL (x * 1801) SECOND"],
  [column(12, "ns", "timestamp_ns"), "TIMESTAMP '2026-01-01' + INTERVAL (x * 2) HOUR"],
  [column(13, "flag", "boolean"), `${FILE} > 7`],
  [column(14, "uid", "uuid"), "md5((x % 48)::VARCHAR)::UUID"],
  [column(15, "one", "uuid"), `md5((${FILE})::VARCHAR)::UUID`],
  [column(16, "doc", "json"), `to_json(${FILE})`],
  [column(17, "none", "varchar"), `CASE WHEN ${FILE} = 4 THEN 'there' END`],
  [column(18, "tags", "list", [column(19, "element", "varchar")]), `CASE WHEN ${FILE} > 3 THEN ['a'] END`],
];
const LATE = column(20, "late", "int32");

let lake: WriteLake;
/** The ids of each data file and of its delete file. */
let files: { id: number; deletes: number | undefined }[];
/** Some of each column, as text. */
const values = new Map<string, string[]>();

beforeAll(async () => {
  lake = await WriteLake.open();
  const { platform } = lake;
  const columns = COLUMNS.map(([one]) => one);
  platform.commit({ kind: "create_table", schema: "main", name: "t", columns });
  const cells = COLUMNS.map(([one, cell]) => `CAST(${cell} AS ${duckdbType(one)}) AS "${one.name}"`).join(", ");
  const selectOf = (file: number): string =>
    `SELECT ${cells} FROM range(${file * FILE_ROWS}, ${(file + 1) * FILE_ROWS}) AS r(x)`;
  const written = [];
  for (let i = 0; i < FILES; i++) written.push(await platform.write("main", "t", columns, selectOf(i)));
  platform.commit({ kind: "append", schema: "main", name: "t", files: written });
  const [first] = idsOf();
  const file = await platform.writeDeletes("main", "t", written[0]!.path, "SELECT unnest([0, 1, 2])");
  platform.commit({ kind: "delete", schema: "main", name: "t", deletes: [{ dataFileId: first!, file }] });
  platform.commit({
    kind: "alter_table",
    schema: "main",
    name: "t",
    changes: [
      { kind: "add_column", column: LATE },
      { kind: "set_type", id: 2, type: "int64" },
      { kind: "set_type", id: 5, type: "float64" },
      { kind: "rename_column", id: 6, to: "renamed" },
    ],
  });
  files = planOf()[0]!.files.map(({ id, deletes }) => ({ id, deletes: deletes?.id }));
  const rows = Array.from({ length: FILES }, (_, i) => `SELECT ${i} AS file, * FROM (${selectOf(i)})`);
  await fillTwin(rows.join(" UNION ALL "));
}, 120_000);
afterAll(() => lake.close());

/** The table's rows in DuckDB, each with the number of its file. */
async function fillTwin(rows: string): Promise<void> {
  const { duckdb } = lake.platform;
  const cells = tableOf()!.columns.map((one) => {
    const written = one.id === LATE.id ? "NULL" : `"${COLUMNS.find(([{ id }]) => id === one.id)![0].name}"`;
    return `CAST(${written} AS ${duckdbType(one)}) AS "${one.name}"`;
  });
  await duckdb.run(
    `CREATE TABLE twin AS SELECT file, ${cells.join(", ")} FROM (${rows}) WHERE big >= 9007199254740993`,
  );
  for (const { name } of tableOf()!.columns) {
    const found = await duckdb.runAndReadAll(
      `SELECT DISTINCT CAST("${name}" AS VARCHAR) FROM twin ORDER BY 1 LIMIT 150`,
    );
    values.set(
      name,
      found.getRows().map(([value]) => String(value)),
    );
  }
}

const readerOf = (roles?: AccessGrant[]) =>
  roles
    ? indexAccess(
        roles.map((role) => [role]),
        foldName,
      )
    : "everything";
const tableOf = (roles?: AccessGrant[]): LakeTable | undefined =>
  valueOf(describeCatalog(lake.platform.storage.sql, lake.platform.snapshotId, readerOf(roles))).tables[0];
const planOf = (roles?: AccessGrant[], anyOf?: Predicate[][]): TablePlan[] =>
  valueOf(
    planTables(lake.platform.storage.sql, lake.platform.snapshotId, { tableIds: [1], anyOf, reader: readerOf(roles) }),
  );
const idsOf = (roles?: AccessGrant[], anyOf?: Predicate[][]): number[] =>
  planOf(roles, anyOf).flatMap(({ files }) => files.map(({ id }) => id));

/** The files with a row that the engine would show. */
async function grantedFiles(roles: AccessGrant[]): Promise<number[]> {
  const { view } = tableOf(roles)!;
  if (view === "whole") throw new Error("The table is not restricted.");
  const columns = new Map(tableOf()!.columns.map((one) => [one.id, duckdbFilterColumn(one, `"${one.name}"`)]));
  const rows = either(view.grants.map((grant) => conditionSql(grant, columns, DUCKDB_FILTERS)));
  const found = await lake.platform.duckdb.runAndReadAll(`SELECT DISTINCT file FROM twin WHERE ${rows}`);
  return found.getRows().map(([file]) => files[Number(file)]!.id);
}

const grantOf = (filters: RowFilter[] | null): AccessGrant => ({
  schema: "main",
  table: "t",
  excludes: ["flag"],
  masks: {},
  filters,
});

const NAMES = [...COLUMNS.map(([{ name }]) => (name === "word" ? "renamed" : name)), LATE.name];
const leaf: fc.Arbitrary<RowFilter> = fc.constantFrom(...NAMES).chain((member) => {
  const own = fc.nat().map((at) => values.get(member)![at % values.get(member)!.length]!);
  const value = fc.oneof(
    { weight: 8, arbitrary: own },
    { weight: 2, arbitrary: own.map((text) => text.slice(0, 10)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("0.5", "-1e3", "1e300", "b", "", "2026-01-09", "2026-01-20T10:30", "nan", null),
    },
  );
  return fc.record({
    member: fc.constant(member),
    operator: fc.constantFrom(...FILTER_OPERATORS),
    values: fc.oneof({ weight: 4, arbitrary: fc.tuple(value) }, fc.array(value, { maxLength: 3 })),
  });
});
const filter: fc.Arbitrary<RowFilter> = fc.oneof(
  { weight: 4, arbitrary: leaf },
  fc.array(leaf, { minLength: 1, maxLength: 4 }).map((or) => ({ or })),
  fc
    .array(
      fc.oneof(
        leaf,
        fc.array(leaf, { maxLength: 3 }).map((or) => ({ or })),
      ),
      { maxLength: 3 },
    )
    .map((and) => ({ and })),
);
const rolesOf = fc.array(fc.array(filter, { minLength: 1, maxLength: 2 }).map(grantOf), { minLength: 1, maxLength: 3 });

const is = (member: string, operator: FilterOperator, ...given: (string | null)[]): RowFilter => ({
  member,
  operator,
  values: given,
});

describe("files of a table of which roles hide rows", () => {
  it("stay where they hold a row that is granted, whatever the conditions", async () => {
    let [kept, needed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(rolesOf, async (roles) => {
        const [planned, granted] = [idsOf(roles), await grantedFiles(roles)];
        expect([roles, granted.filter((id) => !planned.includes(id))]).toEqual([roles, []]);
        kept += planned.length;
        needed += granted.length;
      }),
      { numRuns: RUNS },
    );
    // Neither was everything left out, nor nothing.
    expect(needed).toBeGreaterThan(RUNS);
    expect(kept).toBeLessThan((RUNS * FILES) / 2);
  }, 240_000);

  it("are left out by every operator that bounds can decide", () => {
    const plannedBy = (...filters: RowFilter[]): number[] => {
      const planned = new Set(idsOf([grantOf(filters)]));
      return files.flatMap(({ id }, at) => (planned.has(id) ? [at] : []));
    };
    const all = files.map((_, at) => at);
    expect(plannedBy(is("small", "equals", "-2"))).toEqual([4]);
    expect(plannedBy(is("big", "in", "9007199254740993", "9007199254741469"))).toEqual([0, 11]);
    expect(plannedBy(is("price", "gt", "33.99"))).toEqual([11]);
    expect(plannedBy(is("price", "lte", "-20.125"))).toEqual([0]);
    expect(plannedBy(is("none", "set"))).toEqual([4]);
    expect(plannedBy(is("none", "equals", "there", "nowhere"))).toEqual([4]);
    expect(plannedBy(is("flag", "equals", "false"), is("flag", "notSet"))).toEqual([]);
    expect(plannedBy(is("day", "onTheDate", "2026-01-06"))).toEqual([1]);
    expect(plannedBy(is("tz", "inDateRange", "2026-01-02", "2026-01-03"))).toEqual([0, 1]);
    expect(plannedBy({ or: [is("at", "beforeDate", "2026-01-01"), is("at", "afterDate", "2026-01-19")] })).toEqual([
      11,
    ]);
    expect(plannedBy(is("one", "equals", values.get("one")![0]!))).toHaveLength(1);
    expect(plannedBy(is("renamed", "equals", "a🐟"), is("day", "set"))).toEqual([0]);
    expect(plannedBy(is("small", "equals", "many"))).toEqual([]);
    expect(idsOf([grantOf(null)])).toEqual([]);
    // Some predicates' bounds say nothing, and many conditions would be too much to look at.
    expect(plannedBy(is("small", "notEquals", "-2"))).toEqual(all);
    expect(plannedBy(is("renamed", "contains", "zzz"))).toEqual(all);
    expect(plannedBy(is("late", "equals", "1"))).toEqual(all);
    const beyond = (alternatives: number): RowFilter => ({
      or: Array.from({ length: alternatives }, (_, i) => ({
        and: [is("small", "gt", String(i + 100)), is("small", "lt", String(i + 105))],
      })),
    });
    expect([plannedBy(beyond(16)), plannedBy(beyond(17))]).toEqual([[], all]);
    const many = Array.from({ length: 40 }, (_, i) => grantOf([is("small", "equals", String(i + 4))]));
    expect(idsOf(many)).toEqual([files[10]!.id, files[11]!.id]);
  });

  it("have URLs where they are planned, with their deletes, and not otherwise", () => {
    const signedBy = (roles: AccessGrant[]): number[] => {
      const asked = files.flatMap(({ id, deletes }) => (deletes === undefined ? [id] : [id, deletes]));
      const { sql } = lake.platform.storage;
      return Object.keys(valueOf(pathsOfFiles(sql, lake.platform.snapshotId, asked, readerOf(roles)))).map(Number);
    };
    fc.assert(
      fc.property(rolesOf, (roles) => {
        const planned = planOf(roles).flatMap(({ files }) => files);
        const ids = planned.flatMap(({ id, deletes }) => (deletes ? [id, deletes.id] : [id]));
        expect(signedBy(roles).sort((a, b) => a - b)).toEqual(ids.sort((a, b) => a - b));
      }),
      { numRuns: 200 },
    );
  });

  it("are the same whatever is asked for", () => {
    const asked: fc.Arbitrary<Predicate> = fc.record({
      columnId: fc.integer({ min: 1, max: 20 }),
      op: fc.constantFrom("=" as const, "<" as const, ">=" as const, "in" as const, "is_null" as const),
      values: fc.array(fc.constantFrom("0", "-3", "b", "2026-01-05", "9007199254741200"), { maxLength: 2 }),
    });
    const anyOf = fc.array(fc.array(asked, { maxLength: 3 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(rolesOf, anyOf, (roles, lists) => {
        expect(idsOf(roles, lists)).toEqual(idsOf(roles));
      }),
      { numRuns: 300 },
    );
  });
});

describe("a statement of who sees some of a table's rows", () => {
  const roles = [grantOf([is("day", "inDateRange", "2026-01-09", "2026-01-12")])];
  /** What it answers and reads of the bucket, when no file is on this machine. */
  let cold = 0;
  const asked = async (sql: string): Promise<{ rows: unknown; bytes: number }> => {
    const { platform } = lake;
    const before = platform.bytesRead;
    const rows = await lake.rows(sql, { grant: { ...platform.grantFor([roles]), lakeId: `cold-${++cold}` } });
    return { rows, bytes: platform.bytesRead - before };
  };

  it("reads no file but those of its roles, and the same ones for whatever it asks", async () => {
    const ids = idsOf(roles);
    expect(ids).toEqual([files[2]!.id]);
    const { files: planned } = planOf(roles)[0]!;
    const count = await asked("SELECT count(*) AS n, min(day)::VARCHAR AS a, max(day)::VARCHAR AS b FROM t");
    expect(count.rows).toEqual([{ n: 40, a: "2026-01-09", b: "2026-01-12" }]);
    expect(count.bytes).toBeLessThanOrEqual(planned[0]!.bytes);
    const none = await asked("SELECT count(*) AS n FROM t WHERE big < 0 OR day > DATE '2027-01-01'");
    expect(none.rows).toEqual([{ n: 0 }]);
    expect(none.bytes).toBe(count.bytes);
  });
});
