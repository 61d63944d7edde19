import type { Needs } from "../../../clients/context.ts";
import type { AuditAction } from "../../../platform/db/audit-actions.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { RUN_TABLES, type RunKind } from "../kind.ts";
import type { RunName } from "../run.ts";
import { cancelRun, isCancellableInSql } from "./store-runs.ts";

/** `names`: further fields by which the audit log names the run. */
type AuditedAs = { action: AuditAction; names?: Record<string, string> };

/**
 * Asks for a run's end and wakes it up. False where it has ended, or somebody has asked for its end before. The scope
 * is of the run's team.
 */
export async function requestCancel(
  { scope, db, wakeUps }: Needs<"scope" | "db" | "wakeUps">,
  kind: RunKind,
  run: RunName,
  { action, names }: AuditedAs,
): Promise<boolean> {
  const table = RUN_TABLES[kind];
  const at = scope.now.toISOString();
  const [, asked] = await db.batch([
    recordAuditIf(db, scope, {
      action,
      subjectId: run.id,
      when: isCancellableInSql(table, run),
      before: { ...names, cancel_requested_at: null },
      after: { ...names, cancel_requested_at: at },
    }),
    cancelRun(db, table, run, { at, reason: `Cancelled by ${scope.userName}.` }),
  ]);
  if (asked.length > 0) await wakeUps.send(kind, run);
  return asked.length > 0;
}
