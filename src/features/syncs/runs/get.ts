import type { Needs } from "../../../clients/context.ts";
import { requireRun } from "../find.ts";
import type { Run } from "./run.ts";
import { viewSync } from "../view.ts";
import { detailOf, runFor } from "./wire-mapping.ts";
import type { SyncRunDetail } from "./wire-schema.ts";
import { listWaiting } from "../../work-model/waiting/list-waiting.ts";
import { findProgress } from "./store.ts";
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
  const waitingOf = await listWaiting({ db }, "sync_run", { runs: [run], now: scope.now });
  const waiting = waitingOf(run);
  const detail = detailOf(run, waiting, live ?? (await findProgress(db, run)));
  const { code, runId } = waiting.waitingFor ?? {};
  if (code !== "other_run" || run.cancelRequested) return detail;
  return { ...detail, details: { ...detail.details, reason: `It waits for run ${runId} of this sync to end.` } };
}
