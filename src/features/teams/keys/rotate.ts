import { TEAM_LIMITS } from "../limits.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { withinPlan } from "../../quotas/within-plan.ts";
import { getUser } from "../users/get.ts";
import { requireAuthorityOver } from "../users/user.ts";
import { forgetCallers } from "./find-caller.ts";
import { getKey } from "./get.ts";
import {
  auditedKey,
  mintKey,
  requireFuture,
  requireNoWider,
  type ApiKey,
  type KeyRotation,
  type RotatedKey,
} from "./key.ts";
import { countKeys, findKey, isRotatedTo, rotateKeyRows } from "./store.ts";

type Deps = Needs<"scope" | "db">;

/**
 * Makes a key instead of another, with its name and scopes. The one before works for the overlap, and no longer than it
 * would have. One of two rotations of a key is made; a key that has ended, or was rotated, is not: 409.
 */
export async function rotateKey(ctx: Deps, userId: string, id: string, input: KeyRotation): Promise<RotatedKey> {
  const { scope, db } = ctx;
  const { teamId, now } = scope;
  const user = await getUser(ctx, userId);
  requireAuthorityOver(scope, user);
  const old = await getKey(ctx, user.id, id);
  requireNoWider(scope, old.scopes);
  requireRotatable(old, now);
  const { name, scopes } = old;
  const expires_at = input.expires_at === undefined ? old.expires_at : input.expires_at;
  requireFuture(expires_at, now);
  await requireRoom(ctx, user.id);

  const { minted, suffixHash } = await mintKey(now, user.id, { name, scopes, expires_at });
  const oldExpiresAt = endOf(old, input, now);
  const next = { userId: user.id, key: minted, suffixHash };
  const [, rotated] = await withinPlan(ctx, "keys", (guard) =>
    db.batch([
      ...rotateKeyRows(db, teamId, { userId: user.id, old, next, oldExpiresAt, at: now.toISOString() }),
      recordAuditIf(db, scope, {
        action: "key.rotate",
        subjectId: old.id,
        when: isRotatedTo(teamId, { userId: user.id, id: old.id }, minted.id),
        before: { ...auditedKey(user.id, old), successor_id: null },
        after: { ...auditedKey(user.id, { ...old, expires_at: oldExpiresAt }), successor_id: minted.id },
      }),
      guard,
    ]),
  );
  if (rotated.length === 0) throw await refusal(ctx, user.id, old);
  forgetCallers((caller) => caller.keyId === old.id);
  return { ...minted, replaces: { ...old, expires_at: oldExpiresAt, successor_id: minted.id } };
}

function endOf({ expires_at }: ApiKey, { overlap_seconds }: KeyRotation, now: Date): string {
  const end = new Date(now.getTime() + overlap_seconds * 1000).toISOString();
  return expires_at !== null && expires_at < end ? expires_at : end;
}

function requireRotatable({ successor_id, expires_at }: ApiKey, now: Date): void {
  if (successor_id !== null)
    throw new Problem("resource_conflict", `This key was rotated already; rotate its successor, ${successor_id}.`);
  if (expires_at !== null && expires_at <= now.toISOString())
    throw new Problem("resource_conflict", "This key has expired; make a new one.");
}

/** Keys that were rotated work for a while beside their successors, so that there are at most twice as many. */
async function requireRoom({ scope, db }: Deps, userId: string): Promise<void> {
  if ((await countKeys(db, scope.teamId, userId, scope.now.toISOString())) < 2 * TEAM_LIMITS.keysPerUserMax) return;
  throw new Problem("business_quota_exceeded", "Too many keys of this user work side by side; revoke some first.");
}

async function refusal({ scope, db }: Deps, userId: string, { id }: ApiKey): Promise<Problem> {
  const now = await findKey(db, scope.teamId, { userId, id });
  if (!now) return notFound("Key", id);
  return now.successor_id === null
    ? new Problem(
        "resource_conflict",
        "This is the last key without an end that the team's admins, or the platform's operators, have, and its " +
          "successor would have one. Leave `expires_at` out.",
      )
    : new Problem("resource_conflict", `This key was rotated at the same time; its successor is ${now.successor_id}.`);
}
