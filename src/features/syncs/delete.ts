import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { changedMeanwhile, requireSync, requireVersion, type Address } from "./find.ts";
import { finishRemovals } from "./finish-removals.ts";
import { hasSyncVersion, removeSync } from "./store.ts";
import { cancelRunsOf } from "./runs/store.ts";
import { auditedSync } from "./sync.ts";

/**
 * Ends a sync. Its tables stay in the lake, and belong to nobody once its run, if one is under way, has been cancelled.
 * `expected` is the version the caller has seen: another one is `precondition_failed`.
 */
export async function deleteSync(
  ctx: Needs<"scope" | "db" | "wakeUps" | "openLake">,
  integrationId: string,
  { address, expected }: { address: Address; expected: number | undefined },
): Promise<void> {
  const { scope, db, wakeUps } = ctx;
  const sync = await requireSync(ctx, integrationId, address);
  requireVersion(sync, expected);
  const at = scope.now.toISOString();
  const isCurrent = hasSyncVersion(sync);
  const [, cancelled, removed] = await db.batch([
    recordAuditIf(db, scope, { action: "sync.delete", subjectId: sync.id, when: isCurrent, before: auditedSync(sync) }),
    cancelRunsOf(db, sync, { at, code: "sync_deleted", reason: "The sync was deleted.", happened: isCurrent }),
    removeSync(db, sync, at),
  ]);
  if (removed.length === 0) throw expected === undefined ? notFound("Sync", sync.id) : changedMeanwhile(expected);
  await wakeUps.sendAll(
    "sync_run",
    cancelled.map(({ id }) => ({ teamId: scope.teamId, id })),
  );
  await finishRemovals(ctx, { teamId: scope.teamId });
}
