import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { requireSignInAuthority } from "../sessions/sign-in-authority.ts";
import { auditedIdentity } from "./identity.ts";
import { deleteIdentityRow, findIdentity, hasIdentity } from "./store.ts";

/**
 * Unbinds an account: it signs in no more. Sessions that it has made go on. Throws 404 for one that is not the caller's
 * to end.
 */
export async function deleteIdentity({ scope, db }: Needs<"scope" | "db">, id: string): Promise<void> {
  const identity = await findIdentity(db, scope.teamId, id);
  if (!identity) throw notFound("Identity", id);
  await requireSignInAuthority({ scope, db }, identity.userId, notFound("Identity", id));
  await db.batch([
    recordAuditIf(db, scope, {
      action: "identity.delete",
      subjectId: id,
      when: hasIdentity(identity),
      before: auditedIdentity(identity),
    }),
    deleteIdentityRow(db, identity),
  ]);
}
