// Files and row groups that a semantic query leaves out by the values that are bound to it: those that the same SQL
// leaves out with the values in its text.

import { DuckDBInstance } from "@duckdb/node-api";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ColumnStatistics } from "../../../../kernel/lake/commit.ts";
import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { BoundValue, SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { quoteLiteral } from "../../../../containers/engine/duckdb/quoting.ts";
import { duckdbType } from "../../../../containers/engine/parquet/lake-types.ts";
import { writeParquet } from "../../../../containers/engine/parquet/writer.ts";
import { SemanticCompiler } from "../../../../containers/engine/semantic/compile/process/semantic-compiler.ts";
import { aGrant } from "../../../support/node/access/a-grant.ts";
import { column, TestLake } from "../../../support/node/lake/test-lake.ts";
import { aSemanticQuery, CALLER } from "../../../support/node/semantic/shop.ts";

const FILES = 8;
const FILE_ROWS = 10_000;
const COLUMNS = [
  column(1, "id", "int64"),
  column(2, "day", "date"),
  column(3, "sold", "timestamp"),
  column(4, "made", "timestamptz"),
  column(5, "place", "varchar"),
  column(6, "amount", "decimal(12,2)"),
  column(7, "pad", "varchar"),
];
/** The SQL of the cells of row `x`: a file holds 100 days, and a row group 20. */
const CELLS = [
  "x",
  "DATE '2025-01-01' + (x // 100)::INTEGER",
  "TIMESTAMP '2025-01-01 00:00:00' + to_minutes(x * 14)",
  "TIMESTAMPTZ '2025-01-01 00:00:00+00' + to_minutes(x * 14)",
  "'place-' || lpad((x // 1000)::VARCHAR, 4, '0')",
  "x / 100",
  "md5(x::VARCHAR) || md5((x + 1)::VARCHAR) || md5((x + 2)::VARCHAR) || md5((x + 3)::VARCHAR)",
];
const ROLES = [[aGrant("sales", { filters: [{ member: "id", operator: "gte" as const, values: ["40000"] }] })]];
const MODEL: SemanticModel = {
  cubes: [
    {
      name: "sales",
      sql_table: "shop.sales",
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "day", sql: "day", type: "time" },
        { name: "sold", sql: "sold", type: "time" },
        { name: "made", sql: "made", type: "time" },
        { name: "place", sql: "place", type: "string" },
      ],
      measures: [
        { name: "count", type: "count" },
        { name: "amount", sql: "amount", type: "sum" },
        { name: "pad", sql: "pad", type: "max" },
      ],
    },
  ],
  views: [],
};

const compiler = new SemanticCompiler();
let lake: TestLake;
let cold = 0;
let wholeBytes = 0;
beforeAll(async () => {
  lake = await TestLake.open();
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  const table: { path: string; statistics: ColumnStatistics[] }[] = [];
  for (let i = 0; i < FILES; i++) {
    const cells = COLUMNS.map((one, j) => `CAST(${CELLS[j]} AS ${duckdbType(one)}) AS ${one.name}`).join(", ");
    const select = `SELECT ${cells} FROM (SELECT ${i * FILE_ROWS} + range AS x FROM range(${FILE_ROWS}))`;
    const ids = COLUMNS.map(({ id, name }) => `${name}: ${id}`).join(", ");
    const path = await lake.write(`sales-${i}.parquet`, select, ids, ", COMPRESSION zstd, ROW_GROUP_SIZE 2048");
    const written = await writeParquet(connection, { select, columns: COLUMNS }, join(lake.directory, "twin.parquet"));
    table.push({ path, statistics: written!.statistics });
  }
  connection.closeSync();
  instance.closeSync();
  const added = lake.platform.addTable(
    "shop",
    "sales",
    COLUMNS,
    table.map(({ path }) => ({ path })),
  );
  added.files.forEach((file, i) => (file.statistics = table[i]!.statistics));
  lake.platform.roles.set("member", ROLES);
  wholeBytes = (await askCold("SELECT max(pad) AS n FROM shop.sales", undefined)).bytes;
}, 120_000);
afterAll(async () => {
  compiler.stop();
  await lake.close();
});

async function askCold(sql: string, values: readonly BoundValue[] | undefined, token = "token") {
  const before = lake.platform.bytesRead;
  const grant = { lakeId: `cold-${++cold}`, token };
  const rows = await lake.rows(sql, { ...(values && { values }), grant });
  return { rows, bytes: lake.platform.bytesRead - before };
}

/** With each value in its place in the text. */
function typed(sql: string, values: readonly BoundValue[]): string {
  let i = 0;
  return sql.replaceAll("?", () => quoteLiteral(String(values[i++])));
}

const days = (from: string, to: string): [string, string] => [`${from}T00:00:00.000`, `${to}T23:59:59.999`];
const QUERIES: [string, Partial<SemanticQuery>][] = [
  ["a day", { timeDimensions: [{ dimension: "sales.day", dateRange: days("2025-02-03", "2025-02-05") }] }],
  ["a time", { timeDimensions: [{ dimension: "sales.sold", dateRange: days("2026-02-03", "2026-02-05") }] }],
  [
    "an instant, in a zone",
    {
      timeDimensions: [{ dimension: "sales.made", granularity: "week", dateRange: days("2025-03-20", "2025-04-05") }],
      order: [{ id: "sales.made.week", desc: false }],
      timezone: "Europe/Oslo",
    },
  ],
  ["a text", { filters: [{ member: "sales.place", operator: "equals", values: ["place-0041"] }] }],
  ["texts", { filters: [{ member: "sales.place", operator: "equals", values: ["place-0041", "place-0043"] }] }],
  ["a number", { filters: [{ member: "sales.id", operator: "lt", values: ["1500"] }] }],
  [
    "one or the other",
    {
      filters: [
        {
          or: [
            { member: "sales.id", operator: "lt", values: ["1500"] },
            { member: "sales.place", operator: "equals", values: ["place-0070"] },
          ],
        },
      ],
    },
  ],
];

describe.each(QUERIES)("filtered by %s", (_name, query) => {
  const compiled = () =>
    compiler.compileSemantic(
      {
        model: MODEL,
        dialect: "duckdb",
        query: aSemanticQuery({ measures: ["sales.count", "sales.amount", "sales.pad"], ...query }),
      },
      CALLER,
      AbortSignal.timeout(60_000),
    );

  it("reads what the same reads with its values written out, and a small part of the table", async () => {
    const { sql, values } = await compiled();
    const bound = await askCold(sql, values);
    expect(bound).toEqual(await askCold(typed(sql, values), undefined));
    expect(Number(bound.rows[0]!["sales__count"])).toBeGreaterThan(0);
    expect(bound.bytes).toBeLessThan(wholeBytes / 3);
  });

  it("reads the same as those where roles hide rows, whatever the values are", async () => {
    const { sql, values } = await compiled();
    const bound = await askCold(sql, values, "member");
    expect(bound).toEqual(await askCold(typed(sql, values), undefined, "member"));
    const others = values.map((value) => (value === "1500" ? "70000" : String(value).replace("2025-0", "2026-0")));
    expect((await askCold(sql, others, "member")).bytes).toBe(bound.bytes);
  });
});
