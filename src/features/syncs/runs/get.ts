import type { Needs } from "../../../platform/context.ts";
import { requireRun } from "../find.ts";
import type { Run } from "./run.ts";
import { viewSync } from "../view.ts";
import { detailOf, runFor } from "./wire-mapping.ts";
import type { SyncRunDetail } from "./wire-schema.ts";
import { findProgress, selectOpenRuns } from "./store.ts";
import { progressOf } from "../../work-model/engine-attempt/watch.ts";
import { SYNC_JOB } from "./step/sync-job.ts";

type Deps = Needs<"scope" | "db" | "openLake">;

/**
 * A run with its tables: as its job reports them now, or, where none is under way, as they were at the end of the last
 * attempt.
 */
export async function getSyncRun(ctx: Deps, integrationId: string, runId: string): Promise<SyncRunDetail> {
  const run = await requireRun(ctx, integrationId, runId);
  const [detail, view] = await Promise.all([describeRun(ctx, run), viewSync(ctx, run)]);
  const tables = detail.tables.filter(({ source, table }) => view.isWhole || view.sees(source, table));
  return { ...runFor(detail, view), tables };
}

export async function describeRun({ scope, db, openLake }: Deps, run: Run): Promise<SyncRunDetail> {
  const live = run.state === "running" ? await progressOf(SYNC_JOB, openLake(run.lakeId), run) : undefined;
  const detail = detailOf(run, live ?? (await findProgress(db, scope.teamId, run.id)));
  if (run.state !== "queued" || run.startedAtMs !== null || run.cancelRequested) return detail;
  const open = await selectOpenRuns(db, scope.teamId, run.syncId);
  const ahead = open[open.findIndex(({ id }) => id === run.id) - 1];
  const reason = ahead ? `It waits for run ${ahead.id} of this sync to end.` : detail.details.reason;
  return { ...detail, details: { ...detail.details, reason } };
}
