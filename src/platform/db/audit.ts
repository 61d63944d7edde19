// Audit rows ride in the same batch as the change they describe.

import { sql, type SQL } from "drizzle-orm";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/scope.ts";
import type { Db } from "./client.ts";
import { auditEvents } from "./schema.ts";

export type AuditScope = Pick<Scope, "teamId" | "userId" | "now">;

/** A statement, not an effect: the verb commits it in its batch. `action` is noun.verb: `integration.create`. */
export function recordAudit(db: Db, { teamId, userId, now }: AuditScope, action: string, subjectId: string) {
  return db.insert(auditEvents).values({ id: newId(now), teamId, actorId: userId, action, subjectId, at: now.toISOString() });
}

/** The same behind a conditional change: `happened` is true in SQL once the change before it in the batch has taken effect. */
export function recordAuditIf(db: Db, { teamId, userId, now }: AuditScope, action: string, subjectId: string, happened: SQL) {
  const columns = sql`${newId(now)}, ${teamId}, ${userId}, ${action}, ${subjectId}, ${now.toISOString()}`;
  return db.insert(auditEvents).select(sql`select ${columns} where ${happened}`);
}
