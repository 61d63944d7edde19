import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { requireSignInAuthority } from "../sessions/sign-in-authority.ts";
import { auditedPasskey } from "./passkey.ts";
import { deletePasskeyRow, findPasskey, hasPasskey } from "./store.ts";

/**
 * Forgets a passkey: it signs in no more. Sessions that it has made stay. Throws 404 for one that is not the caller's
 * to end.
 */
export async function deletePasskey({ scope, db }: Needs<"scope" | "db">, id: string): Promise<void> {
  const passkey = await findPasskey(db, scope.teamId, id);
  if (!passkey) throw notFound("Passkey", id);
  await requireSignInAuthority({ scope, db }, passkey.userId, notFound("Passkey", id));
  await db.batch([
    recordAuditIf(db, scope, {
      action: "passkey.delete",
      subjectId: id,
      when: hasPasskey(passkey),
      before: auditedPasskey(passkey.userId, passkey),
    }),
    deletePasskeyRow(db, passkey),
  ]);
}
