// Trino's dialect as Fjord translates it, beside a real Trino: what is not refused has Trino's rows.

import type { DuckDBConnection } from "@duckdb/node-api";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { Table } from "../../src/features/trino-sql/translate/scope.ts";
import { ARRAYS_AND_PATTERNS } from "../support/node/engines/dialect/arrays-and-patterns.ts";
import { ANALYST } from "../support/node/engines/dialect/analyst.ts";
import { askTrino, connectDuckDb, runOnDuckDb, translateOver } from "../support/node/engines/dialect/both-engines.ts";
import {
  compareBoth,
  LANES,
  summaryOf,
  type Ask,
  type Compared,
  type Verdict,
} from "../support/node/engines/dialect/compare.ts";
import { compareHostile } from "../support/node/engines/dialect/hostile.ts";
import { CARRIED } from "../support/node/engines/dialect/values/carried.ts";
import { MAPS } from "../support/node/engines/dialect/values/maps.ts";
import { makeTables } from "../support/node/engines/dialect/tables.ts";
import { ZONED_ARITHMETIC } from "../support/node/engines/dialect/zoned-arithmetic.ts";
import { METABASE } from "../support/node/engines/dialect/tools/metabase.ts";
import { SUPERSET } from "../support/node/engines/dialect/tools/superset.ts";
import { TPCH } from "../support/node/engines/dialect/tpch.ts";
import { startTrinoServer } from "../support/node/engines/trino.ts";
import { inLanes } from "../support/node/in-lanes.ts";

const HOSTILE_MS = 1_500_000;

/**
 * A year of two digits, a day six million years away, times before 1970, deviations of values whose squares are beyond
 * all doubles.
 */
const FAIL_HERE = [
  "from_iso8601_date(s) in row 7",
  "date_add('day', i, dt) in row 5",
  ...["time", "time(6)", "time(0)"].map((type) => `CAST(ts AS ${type})`),
  ...["true", "rn IN (7, 8, 9)"].map(
    (where) => `SELECT stddev(f), variance(f), stddev_pop(f), var_pop(f) FROM t WHERE ${where}`,
  ),
];

let folder: string;
let trino: Awaited<ReturnType<typeof startTrinoServer>>;
let connection: DuckDBConnection;
let tables: Map<string, Table>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-dialect-"));
  trino = await startTrinoServer(inject("clients"), {
    lake: {
      "connector.name": "iceberg",
      "iceberg.catalog.type": "TESTING_FILE_METASTORE",
      "iceberg.add-files-procedure.enabled": "true",
      "hive.metastore.catalog.dir": "local:///metastore",
      "fs.native-local.enabled": "true",
      "local.location": folder,
    },
  });
  connection = await connectDuckDb();
  tables = await makeTables(folder, connection, async (sql) => {
    const answer = await askTrino(trino.url, sql);
    if (answer.kind !== "rows") throw new Error(`Trino failed at ${sql}: ${answer.message}`);
  });
});
afterAll(async () => {
  connection?.closeSync();
  await trino?.stop();
  await rm(folder, { recursive: true, force: true });
});

const askIn = (timeZone: string): Ask => ({
  translate: (sql) => translateOver(tables, sql, timeZone),
  here: (query) => runOnDuckDb(connection, query),
  trino: (sql) => askTrino(trino.url, sql, timeZone),
});

const compareAll = (statements: readonly string[], timeZone = "UTC"): Promise<Compared[]> =>
  inLanes(statements, LANES, (sql) => compareBoth(askIn(timeZone), sql));

const thoseOf = (compared: readonly Compared[], verdicts: readonly Verdict[]): Compared[] =>
  compared.filter(({ verdict }) => verdicts.includes(verdict));

it("has Trino's rows for what an analyst writes, but for what is refused", async () => {
  expect(new Set(ANALYST).size).toBe(ANALYST.length);
  expect(ANALYST.length).toBeGreaterThanOrEqual(300);
  const compared = await compareAll(ANALYST);
  console.info(summaryOf("An analyst's statements", compared));
  expect(thoseOf(compared, ["different", "failsHere", "otherType", "bothFail"])).toEqual([]);
  expect(thoseOf(compared, ["same"]).length / compared.length).toBeGreaterThanOrEqual(0.9);
});

it("has Trino's rows for all of TPC-H", async () => {
  const compared = await compareAll(TPCH);
  console.info(summaryOf("TPC-H", compared));
  expect(compared.filter(({ verdict }) => verdict !== "same")).toEqual([]);
});

it("has Trino's rows for arrays, regular expressions and texts that are read as moments", async () => {
  const compared = await compareAll(ARRAYS_AND_PATTERNS);
  console.info(summaryOf("Arrays and patterns", compared));
  expect(thoseOf(compared, ["different", "failsHere", "otherType"])).toEqual([]);
  expect(thoseOf(compared, ["same"]).length / compared.length).toBeGreaterThanOrEqual(0.95);
});

it.each([
  ["Superset", SUPERSET, "UTC"],
  ["Metabase", METABASE, "UTC"],
  ["Metabase", METABASE, "Europe/Berlin"],
])("has Trino's rows for what %s sends by itself", async (name, statements, timeZone) => {
  expect(new Set(statements).size).toBe(statements.length);
  const compared = await compareAll(statements, timeZone);
  console.info(summaryOf(`${name} in ${timeZone}`, compared));
  expect(thoseOf(compared, ["different", "failsHere", "otherType", "bothFail"])).toEqual([]);
  expect(thoseOf(compared, ["refused"]).map(({ sql }) => sql)).toEqual([]);
});

it("has Trino's rows for maps, rows, elements by number and values of other types", async () => {
  const compared = await compareAll(MAPS);
  console.info(summaryOf("Maps and rows", compared));
  expect(thoseOf(compared, ["different", "failsHere", "otherType"])).toEqual([]);
  expect(thoseOf(compared, ["refused"]).length / compared.length).toBeLessThanOrEqual(0.05);
});

it("has Trino's rows for values of the types that DuckDB has not", async () => {
  const compared = await compareAll(CARRIED);
  console.info(summaryOf("Carried values", compared));
  expect(thoseOf(compared, ["different", "otherType"])).toEqual([]);
  // DuckDB and Trino write these characters otherwise in JSON.
  expect(thoseOf(compared, ["failsHere"]).filter(({ sql }) => !/concat\(.*🤦/u.test(sql))).toEqual([]);
  expect(thoseOf(compared, ["refused"]).length / compared.length).toBeLessThanOrEqual(0.1);
});

it("has Trino's rows for moments in zones that are moved, cut off and subtracted", async () => {
  const compared = await compareAll(ZONED_ARITHMETIC);
  console.info(summaryOf("Zoned arithmetic", compared));
  expect(compared.filter(({ verdict }) => verdict !== "same")).toEqual([]);
});

it("is nowhere silently different over hostile values", { timeout: HOSTILE_MS }, async () => {
  const compared = await compareHostile(askIn("UTC"));
  console.info(summaryOf("Hostile values", compared));
  expect(thoseOf(compared, ["different", "otherType"])).toEqual([]);
  expect(thoseOf(compared, ["failsHere"]).map(({ sql }) => sql)).toEqual(FAIL_HERE);
});
