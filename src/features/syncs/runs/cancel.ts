import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { requestCancel } from "../../work-model/runs/cancel-run.ts";
import { requireRun } from "../find.ts";
import { describeRun } from "./get.ts";
import { hasEnded } from "../../work-model/next-state.ts";
import type { SyncRunDetail } from "./wire-schema.ts";

/**
 * Asks for a run's end; its job can write nothing once the run says it is cancelled. Throws 409 for one that has ended.
 */
export async function cancelSyncRun(
  ctx: Needs<"scope" | "db" | "wakeUps" | "openLake">,
  integrationId: string,
  runId: string,
): Promise<SyncRunDetail> {
  const run = await requireRun(ctx, integrationId, runId);
  const audited = { action: "sync_run.cancel" as const, names: { sync_id: run.syncId } };
  const isFirst = await requestCancel(ctx, "sync_run", run, audited);
  const now = await requireRun(ctx, integrationId, run.id);
  if (!isFirst && hasEnded(now)) throw new Problem("resource_conflict", "This run has ended already.");
  return describeRun(ctx, now);
}
