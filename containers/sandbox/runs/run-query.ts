// A SQL or Cube dataset of a run: its turn, its time, and what it answers.

import { mayWrite } from "../../../kernel/text/write-verbs.ts";
import type { DatasetReport, RunDataset } from "../../../kernel/wire/sandbox.ts";
import { OpenOutcome, queryToFile, type QueryBody } from "./query-to-file.ts";
import type { RunContext } from "./run-context.ts";

type QueryDataset = Extract<RunDataset, { engine: "sql" | "cube" }>;

/** Fills in the report. Rejects with an Error for the dataset's author, or with why the run ends. */
export async function runQuery(run: RunContext, dataset: QueryDataset, report: DatasetReport): Promise<void> {
  const file = run.outputs.newFile();
  await run.queries.run(() => timedQuery(run, dataset, file, report), run.signal);
  if (report.result?.kind === "none") run.outputs.keepNothing(report.key);
  else await run.outputs.keep(report, { kind: "answer", file });
}

async function timedQuery(
  { order: { apiKey }, services: { platformUrl, resultBytesMax: bytesMax }, signal }: RunContext,
  dataset: QueryDataset,
  file: string,
  report: DatasetReport,
): Promise<void> {
  const startedAt = performance.now();
  report.startedAt = new Date().toISOString();
  const { executionId: id, timeoutMs } = dataset;
  try {
    const body = bodyOf(dataset);
    const mayWriteIt = "sql" in body && mayWrite(body.sql);
    const query = { platformUrl, apiKey, body, id, timeoutMs, file, bytesMax, mayWrite: mayWriteIt, signal };
    const bytes = await queryToFile(query);
    const kind = bytes === null ? "none" : "frame";
    report.result = { kind, rows: null, bytes: bytes ?? 0, columns: null, path: null };
  } catch (error) {
    if (error instanceof OpenOutcome) report.errorCode = error.code;
    throw error;
  } finally {
    report.durationMs = performance.now() - startedAt;
  }
}

function bodyOf(dataset: QueryDataset): QueryBody {
  const integration = dataset.integrationId === null ? {} : { integration_id: dataset.integrationId };
  return dataset.engine === "sql"
    ? { sql: dataset.sql, ...(dataset.parameters && { parameters: dataset.parameters }), ...integration }
    : { cube_query: dataset.query, ...integration };
}
