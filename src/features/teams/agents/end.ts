import { recordAuditIf, type AuditScope } from "../../../platform/db/audit.ts";
import type { Db } from "../../../platform/db/client.ts";
import { forgetCallers } from "../keys/find-caller.ts";
import { auditedAuthorization } from "./authorization.ts";
import { authorizationOf, deleteAuthorizationRow, hasAuthorization, type AuthorizationRow } from "./store.ts";

/** Ends an authorization: its tokens are good for nothing any more. Other isolates follow within the cache's time. */
export async function endAuthorization(db: Db, audit: AuditScope, row: AuthorizationRow): Promise<void> {
  await db.batch([
    recordAuditIf(db, audit, {
      action: "agent_authorization.delete",
      subjectId: row.id,
      when: hasAuthorization(row),
      before: auditedAuthorization(row.userId, authorizationOf(row)),
    }),
    deleteAuthorizationRow(db, row),
  ]);
  forgetCallers(({ keyId }) => keyId === row.id);
}
