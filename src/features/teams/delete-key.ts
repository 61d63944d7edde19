import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { forgetCallers } from "./find-caller.ts";
import { getUser } from "./get-user.ts";
import { isRevokedAt, revokeKeyRow } from "./store.ts";
import { requireAuthorityOver } from "./user.ts";

/** Revokes a key: at once in this isolate, elsewhere within the key cache's time. */
export async function deleteKey({ scope, db }: Needs<"scope" | "db">, userId: string, id: string): Promise<void> {
  const user = await getUser({ scope, db }, userId);
  requireAuthorityOver(scope, user);

  const at = scope.now.toISOString();
  const [revoked] = await db.batch([
    revokeKeyRow(db, scope.teamId, user.id, id, at),
    recordAuditIf(db, scope, "key.delete", id, isRevokedAt(scope.teamId, user.id, id, at)),
  ]);
  if (revoked.length === 0) throw notFound("Key", id);
  forgetCallers((caller) => caller.keyId === id);
}
