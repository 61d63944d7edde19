// Audit rows ride in the same batch as the change they describe.

import { sql, type SQL } from "drizzle-orm";
import { IS_ACCESS_CHANGE, type AuditAction } from "./audit-actions.ts";
import { packChange, type Change } from "./audit-facts.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/scope.ts";
import type { Db } from "./client.ts";
import { isEventWanted } from "./record-outbound-event.ts";
import { auditEvents } from "./schema/audit-schema.ts";

/**
 * `runId` names the run whose key did it, `keyId` the key of a person; `requestId` is the request's own. Without any of
 * them it was done by work that has somebody's rights, or before there was a key.
 */
export type AuditScope = Pick<Scope, "teamId" | "userId" | "now" | "runId" | "byOperator"> &
  Partial<Pick<Scope, "keyId" | "requestId">>;

/** What it was done to, and what of it was and is now; nothing secret, see {@link Change}. */
export type AuditSubject = string | ({ id: string } & Change);

/** A statement, not an effect: the verb commits it in its batch. */
export function recordAudit(db: Db, scope: AuditScope, action: AuditAction, subject: AuditSubject) {
  const { id: subjectId, ...change } = typeof subject === "string" ? { id: subject } : subject;
  return db.insert(auditEvents).values({ ...rowOf(scope, action, change), subjectId });
}

/** `subjectId`: an id, or what finds it in SQL. */
export type ConditionalAudit = { action: AuditAction; subjectId: string | SQL; when: SQL } & Change;

/**
 * Records a change that happens only under a condition, so that nothing is audited that did not happen. `when` is true
 * in SQL if it does: after the change in the batch it asks for what the change has left behind, before it for what
 * the change needs. A batch is one transaction, so nothing comes in between.
 */
export function recordAuditIf(db: Db, scope: AuditScope, { action, subjectId, when, ...change }: ConditionalAudit) {
  const row = rowOf(scope, action, change);
  const columns = sql`${row.id}, ${row.teamId}, ${row.actorId}, ${action}, ${subjectId}, ${row.at}, ${row.runId},
    ${row.kind}, ${row.before}, ${row.after}, ${row.keyId}, ${row.requestId}, ${row.isByOperator ? 1 : 0}, ${row.isUnannounced}`;
  return db.insert(auditEvents).select(sql`select ${columns} where ${when}`);
}

function rowOf(
  { teamId, userId, now, runId, keyId, requestId, byOperator }: AuditScope,
  action: AuditAction,
  of: Change,
) {
  return {
    id: newId(now),
    teamId,
    actorId: userId,
    action,
    at: now.toISOString(),
    runId: runId ?? null,
    kind: action.slice(0, action.indexOf(".")),
    ...packChange(of),
    // A run's key is its run's, and work without a request has no key.
    keyId: runId === undefined ? keyId || null : null,
    requestId: requestId ?? null,
    isByOperator: byOperator ?? false,
    isUnannounced: IS_ACCESS_CHANGE[action] ? isEventWanted(teamId, "access.changed") : sql<boolean>`0`,
  };
}
