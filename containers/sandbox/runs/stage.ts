// A dataset whose rows become a table: the platform stages them, and those that another dataset reads come here.

import type { StagedResult } from "../../../kernel/wire/run-builds.ts";
import type { DatasetReport, RunDataset } from "../../../kernel/wire/sandbox.ts";
import { PlatformRefusal } from "../../program/platform-client.ts";
import type { RunContext } from "./run-context.ts";

/** Beside a dataset's own time: for a cold engine, and for an earlier call that is still at work. */
const SLACK_MS = 300_000;

/** Rejects with the platform's refusal, which is for the dataset's author, or with why the run ends. */
export function stage(run: RunContext, dataset: RunDataset, frameBytes?: number): Promise<StagedResult> {
  const { executionId, timeoutMs } = dataset;
  const wait = { waitMs: timeoutMs + SLACK_MS, signal: run.signal };
  // The rows of a frame are here.
  const isRead = frameBytes === undefined && isInput(run, dataset);
  return run.platform.stage({ executionId, isRead, ...(frameBytes !== undefined && { frameBytes }) }, wait);
}

const isInput = ({ order }: RunContext, { key }: RunDataset): boolean =>
  order.datasets.some((other) => other.engine === "python" && other.inputs.some(({ ref }) => ref === key));

/** A dataset of SQL, or one that an earlier run has staged. Fills in the report. */
export async function runStaged(run: RunContext, dataset: RunDataset, report: DatasetReport): Promise<void> {
  await run.queries.run(() => timedStage(run, dataset, report), run.signal);
}

async function timedStage(run: RunContext, dataset: RunDataset, report: DatasetReport): Promise<void> {
  const startedAt = performance.now();
  report.startedAt = new Date().toISOString();
  try {
    const { rows, bytes, columns, files } = await stage(run, dataset);
    report.result = { kind: "table", rows, bytes, columns, path: null };
    const local: string[] = [];
    for (const file of files) local.push(await run.outputs.fetch(file));
    run.outputs.keepTable(report.key, "answer_table", local);
  } catch (error) {
    throw withCode(error, report);
  } finally {
    report.durationMs = performance.now() - startedAt;
  }
}

/** Says in the report why the platform refuses, where others go by that. */
export function withCode(error: unknown, report: DatasetReport): unknown {
  if (error instanceof PlatformRefusal && error.status === 403) report.errorCode = "lake_write_denied";
  return error;
}
