import type { SQL } from "drizzle-orm";
import { TEAM_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import { rightsOf } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { withinPlan } from "../../quotas/within-plan.ts";
import { getUser } from "../users/get.ts";
import { requireAuthorityOver, type User } from "../users/user.ts";
import { auditedKey, mintKey, requireFuture, requireNoWider, type KeyTerms, type MintedKey } from "./key.ts";
import { sessionIsOver } from "../sessions/own-session.ts";
import { countKeys, hasKey, insertKey } from "./store.ts";

/** A further key for a user. The key itself is in this answer and nowhere else. */
export async function createKey(
  { scope, db }: Needs<"scope" | "db">,
  userId: string,
  input: KeyTerms,
): Promise<MintedKey> {
  const user = await getUser({ scope, db }, userId);
  requireAuthorityOver(scope, user);
  return createKeyOf({ scope, db }, user, { input });
}

/**
 * The key, once it is settled that the caller may make one for the user. Throws `sessionIsOver` where `when` is not
 * true any more at the commit.
 */
export async function createKeyOf(
  { scope, db }: Needs<"scope" | "db">,
  user: User,
  { input, when }: { input: KeyTerms; when?: SQL },
): Promise<MintedKey> {
  requireNoWider(scope, input.scopes ?? null);
  requireFuture(input.expires_at, scope.now);
  requireHeld(user, input);
  if ((await countKeys(db, scope.teamId, user.id, scope.now.toISOString())) >= TEAM_LIMITS.keysPerUserMax) {
    throw new Problem(
      "business_quota_exceeded",
      `A user may have at most ${TEAM_LIMITS.keysPerUserMax} keys; revoke one first.`,
    );
  }

  const { minted, suffixHash } = await mintKey(scope.now, user.id, input);
  const [inserted] = await withinPlan({ db, scope }, "keys", (guard) =>
    db.batch([
      insertKey(db, scope.teamId, { userId: user.id, key: minted, suffixHash }, when),
      recordAuditIf(db, scope, {
        action: "key.create",
        subjectId: minted.id,
        when: hasKey(scope.teamId, minted.id),
        after: auditedKey(user.id, minted),
      }),
      guard,
    ]),
  );
  if (inserted.length === 0) throw sessionIsOver();
  return minted;
}

/** A scope that its user has no right to would be a promise that a change of their role may keep. */
function requireHeld({ role, is_operator }: User, { scopes }: KeyTerms): void {
  const held = rightsOf(role, is_operator);
  const flaws = (scopes ?? []).flatMap((right, index) =>
    held.includes(right) ? [] : [{ pointer: `/scopes/${index}`, message: `The user has no right ${right}.` }],
  );
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more fields are not valid.", flaws);
}
