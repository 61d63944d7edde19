// DuckDB in a dataset of Python is newer than the engine's. What differs stands on the page about Python, line by line.

import { readFileSync } from "node:fs";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RunPlatformStandIn } from "../../support/node/sandbox/run-platform.ts";
import { startSandbox, type Sandbox } from "../../support/node/sandbox/sandbox.ts";

const PAGE = readFileSync(new URL("../../../docs/python-and-webhooks.md", import.meta.url), "utf8");
const FAILS = "fails";

/** Statements of the page: what the engine answers, as text, and what a dataset's own DuckDB does. */
const DIFFERENCES: Record<string, { engine: string; python: string }> = {
  "SELECT 1 % 0": { engine: "NULL", python: FAILS },
  "SELECT 1 // 0": { engine: "NULL", python: FAILS },
  "SELECT ln(0)": { engine: FAILS, python: "-inf" },
  "SELECT sqrt(-1)": { engine: FAILS, python: "nan" },
  "SELECT list_transform([1, 2], x -> x + 1)": { engine: "[2, 3]", python: FAILS },
  "WITH x AS (COPY (SELECT 1) TO '/dev/null') SELECT 1": { engine: FAILS, python: "1" },
  "CREATE SECURE VIEW v AS SELECT 1": { engine: FAILS, python: "done" },
};

let platform: RunPlatformStandIn;
let sandbox: Sandbox;
let duckdb: DuckDBConnection;
beforeAll(async () => {
  platform = await new RunPlatformStandIn().start();
  sandbox = await startSandbox(platform);
  duckdb = await (await DuckDBInstance.create(":memory:")).connect();
}, 360_000);
afterAll(async () => {
  duckdb?.closeSync();
  await sandbox.stop();
  await platform.stop();
});

const byEngine = async (sql: string): Promise<string> => {
  try {
    const [row] = (await duckdb.runAndReadAll(`SELECT value::VARCHAR FROM (${sql}) AS t(value)`)).getRows();
    return row?.[0] === null ? "NULL" : String(row?.[0]);
  } catch {
    return FAILS;
  }
};

const PROGRAM = (statements: string[]) => `
import duckdb, json
def answer(sql):
    try:
        row = duckdb.connect().execute(sql).fetchone()
    except duckdb.Error:
        return ${JSON.stringify(FAILS)}
    return "done" if row is None or not row else "NULL" if row[0] is None else str(row[0])
result = [answer(sql) for sql in json.loads(${JSON.stringify(JSON.stringify(statements))})]`;

it("are told apart on the page by statements that answer as it says", async () => {
  const statements = Object.keys(DIFFERENCES);
  const report = await sandbox.python(PROGRAM(statements));
  expect(report).toMatchObject({ success: true });
  const inPython = JSON.parse(platform.objects.get(`team/results/${report.executionId}`)!.toString()) as string[];
  const measured: typeof DIFFERENCES = {};
  for (const [at, sql] of statements.entries()) measured[sql] = { engine: await byEngine(sql), python: inPython[at]! };
  expect(measured).toEqual(DIFFERENCES);
  for (const sql of statements) expect(PAGE).toContain(sql.replace(/^SELECT /, ""));
});
