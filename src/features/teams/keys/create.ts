import { LIMITS } from "../../../core/limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../platform/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { getUser } from "../users/get.ts";
import { mintKey, type MintedKey, type NewKey } from "./key.ts";
import { countKeys, insertKey } from "../store.ts";
import { requireAuthorityOver } from "../users/user.ts";

/** A further key for a user. The key itself is in this answer and nowhere else. */
export async function createKey(
  { scope, db }: Needs<"scope" | "db">,
  userId: string,
  input: NewKey,
): Promise<MintedKey> {
  const user = await getUser({ scope, db }, userId);
  requireAuthorityOver(scope, user);
  if (input.expires_at !== null && Date.parse(input.expires_at) <= scope.now.getTime()) {
    throw new Problem("validation_failed", "One or more fields are not valid.", [
      { pointer: "/expires_at", message: "Send an instant in the future." },
    ]);
  }
  if ((await countKeys(db, scope.teamId, user.id)) >= LIMITS.keysPerUserMax) {
    throw new Problem(
      "business_quota_exceeded",
      `A user may have at most ${LIMITS.keysPerUserMax} keys; revoke one first.`,
    );
  }

  const { minted, suffixHash } = await mintKey(scope.now, user.id, input);
  await db.batch([
    insertKey(db, scope.teamId, { userId: user.id, key: minted, suffixHash }),
    recordAudit(db, scope, "key.create", minted.id),
  ]);
  return minted;
}
