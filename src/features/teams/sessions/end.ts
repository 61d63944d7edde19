import { recordAuditIf, type AuditScope } from "../../../platform/db/audit.ts";
import type { Db } from "../../../platform/db/client.ts";
import { forgetCallers } from "../keys/find-caller.ts";
import { auditedSession } from "./session.ts";
import { endSessionRow, isEndedAt, sessionOf, type SessionRow } from "./store.ts";

/** Ends a session: at once in this isolate, elsewhere within the key cache's time. One that has ended stays so. */
export async function endSession(db: Db, audit: AuditScope, session: SessionRow): Promise<void> {
  const at = audit.now.toISOString();
  await db.batch([
    endSessionRow(db, session, at),
    recordAuditIf(db, audit, {
      action: "session.delete",
      subjectId: session.id,
      when: isEndedAt(session, at),
      before: auditedSession(session.userId, sessionOf(session, undefined)),
    }),
  ]);
  forgetCallers((caller) => caller.sessionId === session.id);
}
