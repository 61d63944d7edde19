// Audit rows ride in the same batch as the change they describe.

import { sql, type SQL } from "drizzle-orm";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/scope.ts";
import type { Db } from "./client.ts";
import { auditEvents } from "./schema.ts";

/** `runId` names the run whose key did it. */
export type AuditScope = Pick<Scope, "teamId" | "userId" | "now" | "runId">;

/** A statement, not an effect: the verb commits it in its batch. `action` is noun.verb: `integration.create`. */
export function recordAudit(db: Db, { teamId, userId, now, runId }: AuditScope, action: string, subjectId: string) {
  return db
    .insert(auditEvents)
    .values({
      id: newId(now),
      teamId,
      actorId: userId,
      action,
      subjectId,
      at: now.toISOString(),
      runId: runId ?? null,
    });
}

/**
 * The same behind a conditional change: `happened` is true in SQL once the change before it in the batch has taken
 * effect.
 */
export function recordAuditIf(
  db: Db,
  { teamId, userId, now, runId }: AuditScope,
  action: string,
  subjectId: string,
  happened: SQL,
) {
  const columns = sql`${newId(now)}, ${teamId}, ${userId}, ${action}, ${subjectId}, ${now.toISOString()}, ${runId ?? null}`;
  return db.insert(auditEvents).select(sql`select ${columns} where ${happened}`);
}
