// The end of a run that may have published its tables. Whoever ends it asks the lake's catalog first: from then on it
// publishes nothing any more, or it has, and then it has succeeded, whatever became of its sandbox.

import type { DatasetReport, RunReport } from "../../../../kernel/wire/sandbox.ts";
import type { Needs } from "../../../clients/context.ts";
import { failRun, finishRun } from "../runs/finish.ts";
import type { Execution, Run } from "../runs/run.ts";
import { selectExecutions } from "../runs/store.ts";
import { isBuild, sendingOf, type BuildLakes, type BuildRun } from "./build.ts";
import { keepLatePublished } from "./publish-run.ts";

export type EndDeps = Needs<"db" | "bucket"> & BuildLakes;

/** Ends a run as failed, cancelled or timed out, unless its tables are published. */
export async function endUnlessPublished(
  deps: EndDeps,
  run: Run,
  failure: Parameters<typeof failRun>[2],
  now: Date,
): Promise<void> {
  if (await endedPublished(deps, run, now)) return;
  await failRun(deps.db, run, failure, now);
}

/** Ends a run as its sandbox reports, unless its tables are published. */
export async function finishByReport(deps: EndDeps, run: Run, report: RunReport, now: Date): Promise<void> {
  if (report.outcome !== "succeeded" && (await endedPublished(deps, run, now))) return;
  await finishRun(deps.db, run, report, now);
}

async function endedPublished(deps: EndDeps, run: Run, now: Date): Promise<boolean> {
  if (!isBuild(run)) return false;
  const snapshotId = await endPublishing(deps, run);
  if (snapshotId === undefined) return false;
  // The run has succeeded, whether or not it can be shown what it built.
  await keepLatePublished(deps, run, snapshotId, now).catch((error: unknown) =>
    console.error(JSON.stringify({ event: "build_not_recorded", runId: run.id, cause: String(error) })),
  );
  const executions = await selectExecutions(deps.db, run);
  const datasets = executions.map(succeeded);
  await finishRun(deps.db, run, { runId: run.id, outcome: "succeeded", error: null, datasets }, now);
  return true;
}

/** The snapshot that the run has published. */
async function endPublishing({ openLake }: EndDeps, run: BuildRun): Promise<number | undefined> {
  const end = await openLake(run.lakeId).endStatement(sendingOf(run, run.id));
  return typeof end === "number" ? end : undefined;
}

/** Tables are published once every dataset has succeeded. What was reported of a dataset stays. */
const succeeded = ({ id, datasetKey, durationMs, peakBytes, startedAt }: Execution): DatasetReport => ({
  ...{ key: datasetKey, executionId: id, success: true, skipped: false },
  ...{ error: null, errorCode: null, traceback: null },
  ...{ startedAt, durationMs: durationMs ?? 0, peakBytes, result: null },
});
