// A person's own keys: made and seen in a browser, and revoked there or by the key itself.

import { invalidAt, notFound } from "../../../core/problem.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import { TEAM_LIMITS } from "../../../core/teams/limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireOwnSession, requireSession } from "../sessions/own-session.ts";
import { getUser } from "../users/get.ts";
import { createKeyOf } from "./create.ts";
import { deleteKeyOf } from "./delete.ts";
import type { ApiKey, MintedKey, NewOwnKey } from "./key.ts";
import { selectKeys } from "./store.ts";

/**
 * A key for whoever is signed in, which ends. Throws 409 where no person in a browser asks, and 403 in a session that
 * the key would outlast: of the team's identity provider, or of a key that ends or has scopes.
 */
export async function createOwnKey(ctx: Needs<"scope" | "db">, input: NewOwnKey): Promise<MintedKey> {
  await requireOwnSession(ctx);
  const { now, userId } = ctx.scope;
  if (Date.parse(input.expires_at) > now.getTime() + TEAM_LIMITS.ownKeyMsMax) {
    const days = TEAM_LIMITS.ownKeyMsMax / 86_400_000;
    throw invalidAt("/expires_at", `A key that one makes for oneself ends within ${days} days.`);
  }
  return createKeyOf(ctx, await getUser(ctx, userId), input);
}

/** Oldest first. Only for a person in a browser: a key sees no others. */
export async function listOwnKeys(ctx: Needs<"scope" | "db">, page: Page): Promise<PageOf<ApiKey>> {
  await requireSession(ctx);
  return selectKeys(ctx.db, ctx.scope.teamId, ctx.scope.userId, page);
}

/** A person in a browser revokes any of their keys. A key revokes itself alone and finds no other; a run finds none. */
export async function deleteOwnKey(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  const { keyId, sessionId, runId, userId } = ctx.scope;
  if (sessionId === undefined && (runId !== undefined || keyId !== id)) throw notFound("Key", id);
  await deleteKeyOf(ctx, await getUser(ctx, userId), id);
}
