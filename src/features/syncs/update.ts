import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { changedMeanwhile, requireSync, requireVersion, type Address } from "./find.ts";
import { hasSyncVersion, updateSyncRow } from "./store.ts";
import { auditedSync, configOf, patchSync, type SyncConfig, type SyncPatch } from "./sync.ts";

/**
 * Pauses or resumes the schedule. A run under way goes on. `expected` is the version the caller has seen: another one
 * is `precondition_failed`.
 */
export async function updateSync(
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  { address, patch, expected }: { address: Address; patch: SyncPatch; expected: number | undefined },
): Promise<SyncConfig> {
  const { scope, db } = ctx;
  const before = await requireSync(ctx, integrationId, address);
  requireVersion(before, expected);
  const after = patchSync(before, patch, scope.now);
  if (after === before) return configOf(before);
  const action = after.status === "paused" ? "sync.pause" : "sync.resume";
  const [, updated] = await db.batch([
    recordAuditIf(db, scope, {
      action,
      subjectId: before.id,
      when: hasSyncVersion(before),
      before: auditedSync(before),
      after: auditedSync(after),
    }),
    updateSyncRow(db, before, after),
  ]);
  if (updated.length === 0) throw changedMeanwhile(expected);
  return configOf(after);
}
