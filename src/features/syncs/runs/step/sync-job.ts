// A sync's attempt: an engine's job under the sync's lease in the lake, that reads the source with its credentials.

import type { JobProgress } from "../../../../../kernel/jobs/job.ts";
import type { SyncProgress } from "../../../../../kernel/jobs/progress.ts";
import type { SyncWork } from "../../../../../kernel/jobs/work.ts";
import { syncRuns } from "../../../../platform/db/schema/schema.ts";
import { getIntegration, getLake } from "../../../integrations/get.ts";
import { isSource, openSource } from "../../../integrations/open-source.ts";
import type { JobKind } from "../../../work-model/engine-attempt/job.ts";
import { findExceeded, SYNC_USES } from "../../../quotas/metered.ts";
import { failed, startJob } from "../../../work-model/engine-attempt/start.ts";
import type { StepOutcome } from "../../../work-model/kind.ts";
import { findSync } from "../../store.ts";
import { leaseOf, type Sync } from "../../sync.ts";
import { resolveTables } from "../../tables/resolve.ts";
import type { Run } from "../run.ts";
import type { SyncRunDeps } from "./run-deps.ts";

export const SYNC_JOB: JobKind<Run, SyncProgress> = {
  table: syncRuns,
  noun: "sync",
  leaseOf: ({ syncId }) => leaseOf(syncId),
  narrow: syncProgressOf,
};

function syncProgressOf(progress: JobProgress): SyncProgress {
  if (progress.kind === "maintenance") throw new Error("A sync's job has reported on a maintenance.");
  return progress;
}

/** Whatever asked for the run: one beyond the plan ends with that for its reason, and is told of as others are. */
export async function startAttempt(deps: SyncRunDeps, run: Run, now: Date): Promise<StepOutcome<SyncProgress>> {
  const sync = await findSync(deps.db, run.teamId, run.syncId);
  if (!sync) return failed("The sync was deleted.", false);
  const exceeded = await findExceeded(deps.db, { teamId: run.teamId, now }, SYNC_USES);
  if (exceeded) return failed(exceeded.message, false);
  return startJob(SYNC_JOB, deps, run, () => planWork(deps, run, sync));
}

async function planWork(deps: SyncRunDeps, run: Run, sync: Sync): Promise<SyncWork> {
  const source = await sourceOfRun(deps, run);
  const tables = await resolveTables(deps, run, sync, source);
  const { loadMethod, cursors, appendFullRows } = sync.config;
  return {
    kind: "sync",
    lakeId: run.lakeId,
    source,
    destSchema: sync.destSchema,
    ...tables,
    loadMethod,
    cursors,
    appendFullRows,
    full: run.isFull,
    only: run.onlyTables,
    syncId: run.syncId,
    runId: run.id,
    attempt: run.attempt,
  };
}

async function sourceOfRun(deps: SyncRunDeps, { teamId, sourceId, lakeId }: Run): Promise<SyncWork["source"]> {
  const ctx = { ...deps, scope: { teamId } };
  const [integration] = await Promise.all([getIntegration(ctx, sourceId), getLake(ctx, lakeId)]);
  if (!isSource(integration)) throw new Error(`Integration ${sourceId} is no source.`);
  return openSource(ctx, integration);
}
