// Runs the tests of a run's tables, as these would be. A test that can't be run is broken, and counts as failed.

import { SAMPLE, type TestOrder, type TestResult } from "../../../../kernel/wire/builds.ts";
import { Failure } from "../../core/failure.ts";
import { quoteIdentifier } from "../../duckdb/quoting.ts";
import type { WriteTask } from "../write/task.ts";
import { withLockedDatabase, type LockedSession } from "../write/with-locked-database.ts";
import type { LocalStage } from "./built-tables.ts";
import { composeTest } from "./compose-tests.ts";

type Outcome = Pick<TestResult, "state" | "rows" | "sample" | "error">;

export async function runTests(
  task: WriteTask,
  built: readonly LocalStage[],
  tests: readonly TestOrder[],
): Promise<TestResult[]> {
  const results: TestResult[] = [];
  let charactersLeft: number = SAMPLE.charactersOfRunMax;
  for (const order of tests) {
    const { dataset, index, severity } = order;
    const { sample, ...outcome } = await runTest(task, built, order);
    const characters = sample === null ? 0 : JSON.stringify(sample).length;
    const isShown = characters <= charactersLeft;
    if (isShown) charactersLeft -= characters;
    results.push({ dataset, index, severity, ...outcome, sample: isShown ? sample : null });
  }
  return results;
}

/** Whether the tables must stay as they were. */
export const keepsBack = ({ severity, state }: TestResult): boolean => severity === "error" && state !== "passed";

async function runTest(task: WriteTask, built: readonly LocalStage[], { dataset, test }: TestOrder): Promise<Outcome> {
  const { table } = built.find(({ staged }) => staged.dataset === dataset)!;
  const sql = composeTest(test, table);
  try {
    return await withLockedDatabase({ ...task, sql, values: undefined }, sql, { built }, readFailing);
  } catch (error) {
    if (!(error instanceof Failure) || !OF_THE_TEST.includes(error.code)) throw error;
    return { state: "broken", rows: null, sample: null, error: error.message };
  }
}

const OF_THE_TEST: readonly Failure["code"][] = ["sql_error", "statement_refused"];

async function readFailing(session: LockedSession, body: string): Promise<Outcome> {
  const [[count = null] = []] = await session.rows(`SELECT CAST(count(*) AS VARCHAR) FROM (\n${body}\n)`);
  const rows = Number(count);
  if (rows === 0) return { state: "passed", rows, sample: null, error: null };
  const shape = await session.shape(body);
  const columns = shape.slice(0, SAMPLE.columnsMax).map(({ name }) => name);
  const cells = columns.map((_, i) => `left(CAST(v${i} AS VARCHAR), ${SAMPLE.charactersMax})`).join(", ");
  const names = shape.map((_, i) => quoteIdentifier(`v${i}`)).join(", ");
  const select = `SELECT ${cells} FROM (\n${body}\n) AS q(${names}) LIMIT ${SAMPLE.rowsMax}`;
  return { state: "failed", rows, sample: { columns, rows: await session.rows(select) }, error: null };
}
