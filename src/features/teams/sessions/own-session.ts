import type { SQL } from "drizzle-orm";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { findKey } from "../keys/store.ts";
import { idleSince } from "./session.ts";
import { findSession, isOwnSession, type At, type SessionRow } from "./store.ts";

/** `isOfEndingKey`: it was made by a key with scopes, or with an end. */
export type PersonalSession = { session: SessionRow; when: At; isOfEndingKey: boolean };

/** Throws unless the caller is a person in a browser. */
export async function requireSession({ scope, db }: Needs<"scope" | "db">): Promise<PersonalSession> {
  const { sessionId, keyId, userId, teamId, scopes, now } = scope;
  if (sessionId === undefined)
    throw new Problem("resource_conflict", "This is for a person in a browser: sign in there, and ask from its pages.");
  const when = { at: now.toISOString(), idleSince: idleSince(now) };
  const session = await findSession(db, teamId, sessionId, when);
  // Callers are known for a while: one whose session has ended meanwhile comes as far as here.
  if (!session) throw sessionIsOver();
  const key = keyId === sessionId ? undefined : await findKey(db, teamId, { userId, id: keyId });
  const isOfEndingKey = keyId !== sessionId && !(scopes === undefined && key?.expires_at === null);
  return { session, when, isOfEndingKey };
}

/**
 * Throws unless the caller is a person in a browser who may add a way to sign in as themselves. A session that was made
 * by a key with scopes, or with an end, may not: such a way would outlast the key, and may more than it. Nor may one
 * that was made at the team's identity provider: it would outlast the account there, and consent would be its own.
 * Answers what is true in SQL while the session may still do so, for the commit.
 */
export async function requireOwnSession(ctx: Needs<"scope" | "db">): Promise<SQL> {
  const { session, when, isOfEndingKey } = await requireSession(ctx);
  if (session.method === "oidc")
    throw new Problem(
      "forbidden_insufficient_permissions",
      "Who has signed in at the team's identity provider adds no way to sign in beside it. Sign in another way first.",
    );
  if (isOfEndingKey)
    throw new Problem(
      "forbidden_insufficient_permissions",
      "Who has signed in by a key that ends, or has scopes, adds no way to sign in. Sign in another way first.",
    );
  return isOwnSession(session, when);
}

export const sessionIsOver = (): Problem => new Problem("auth_invalid_token", "The session is over. Sign in again.");
