// A person's own keys: made and seen in a browser, and revoked there or by the key itself.

import { invalidAt, notFound, Problem } from "../../../core/problem.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireOwnSession, requireSession } from "../sessions/own-session.ts";
import { getUser } from "../users/get.ts";
import { createKeyOf } from "./create.ts";
import { deleteKeyOf } from "./delete.ts";
import type { ApiKey, MintedKey, NewOwnKey } from "./key.ts";
import { countKeys, selectKeys } from "./store.ts";

/**
 * A key for whoever is signed in, which ends. Throws 409 where no person in a browser asks, and 403 in a session that
 * the key would outlast: of the team's identity provider, or of a key that ends or has scopes.
 */
export async function createOwnKey(ctx: Needs<"scope" | "db">, input: NewOwnKey): Promise<MintedKey> {
  const when = await requireOwnSession(ctx);
  const { now, teamId, userId } = ctx.scope;
  if (Date.parse(input.expires_at) > now.getTime() + TEAM_LIMITS.ownKeyMsMax) {
    const days = TEAM_LIMITS.ownKeyMsMax / 86_400_000;
    throw invalidAt("/expires_at", `A key that one makes for oneself ends within ${days} days.`);
  }
  const { ownKeysPerUserMax: keysMax } = TEAM_LIMITS;
  if ((await countKeys(ctx.db, teamId, userId, now.toISOString())) >= keysMax)
    throw new Problem("business_quota_exceeded", `Whoever has ${keysMax} keys makes no more; revoke one first.`);
  return createKeyOf(ctx, await getUser(ctx, userId), { input, when });
}

/** Oldest first. Only for a person in a browser: a key sees no others, nor does a session of one that ends. */
export async function listOwnKeys(ctx: Needs<"scope" | "db">, page: Page): Promise<PageOf<ApiKey>> {
  if ((await requireSession(ctx)).isOfEndingKey) {
    const message =
      "Who has signed in by a key that ends, or has scopes, sees no other keys. Sign in another way first.";
    throw new Problem("forbidden_insufficient_permissions", message);
  }
  return selectKeys(ctx.db, ctx.scope.teamId, ctx.scope.userId, page);
}

/**
 * A person in a browser revokes any of their keys. A key revokes itself alone and finds no other, as a session of one
 * that ends or has scopes; a run finds none.
 */
export async function deleteOwnKey(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  const { keyId, sessionId, runId, userId } = ctx.scope;
  const isBound = sessionId === undefined || (await requireSession(ctx)).isOfEndingKey;
  if (isBound && (runId !== undefined || keyId !== id)) throw notFound("Key", id);
  await deleteKeyOf(ctx, await getUser(ctx, userId), id);
}
