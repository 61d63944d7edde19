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

/** `subjectId`: an id, or what finds it in SQL. */
export type ConditionalAudit = { action: string; subjectId: string | SQL; when: SQL };

/**
 * The same for a change that happens only under a condition, so that nothing is audited that did not happen. `when` is
 * true in SQL if it does: after the change in the batch it asks for what the change has left behind, before it for what
 * the change needs. A batch is one transaction, so nothing comes in between.
 */
export function recordAuditIf(
  db: Db,
  { teamId, userId, now, runId }: AuditScope,
  { action, subjectId, when }: ConditionalAudit,
) {
  const columns = sql`${newId(now)}, ${teamId}, ${userId}, ${action}, ${subjectId}, ${now.toISOString()},
    ${runId ?? null}`;
  return db.insert(auditEvents).select(sql`select ${columns} where ${when}`);
}
