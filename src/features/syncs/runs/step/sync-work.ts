// Runs of syncs as a kind of work.

import type { SyncProgress } from "../../../../../kernel/jobs/progress.ts";
import { SYNC_LIMITS } from "../../limits.ts";
import { LIMITS } from "../../../../core/limits.ts";
import { stopJob, watchJob } from "../../../work-model/engine-attempt/watch.ts";
import type { WorkKind } from "../../../work-model/kind.ts";
import { finishRemovals } from "../../finish-removals.ts";
import type { Run } from "../run.ts";
import { startDueSync } from "../start-due.ts";
import { progressColumns } from "../store-rows.ts";
import { findRun, isTurnOf, SYNC_LINE } from "../store.ts";
import type { SyncRunDeps } from "./run-deps.ts";
import { startAttempt, SYNC_JOB } from "./sync-job.ts";

export const SYNC_WORK: WorkKind<Run, SyncRunDeps, SyncProgress> = {
  wakeUp: "sync_run",
  runs: { ...SYNC_LINE.runs, find: findRun, isTurnOf, progressColumns },
  policyOf: ({ settings }) => ({
    attemptsMax: SYNC_LIMITS.attemptsMax,
    retryMsBase: settings.syncRetryMs,
    retryMsMax: SYNC_LIMITS.retryMsMax,
    runMsMax: LIMITS.syncRunMsMax,
    overtime: { state: "failed", reason: `The run was given up after ${LIMITS.syncRunMsMax / 3_600_000} hours.` },
    worker: "engine",
  }),
  start: startAttempt,
  watch: (deps, run) => watchJob(SYNC_JOB, deps, run),
  stop: (deps, run) => stopJob(SYNC_JOB, deps, run),
  ended: startSuccessors,
};

/** Wakes the runs that waited for a run's end. */
async function startSuccessors(deps: SyncRunDeps, { teamId, syncId }: Run, now: Date): Promise<void> {
  await finishRemovals(deps, { teamId });
  await startDueSync(deps, teamId, syncId, now);
}
