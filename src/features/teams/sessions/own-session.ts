import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { findKey } from "../keys/store.ts";

/**
 * Throws unless the caller is a person in a browser who may add a way to sign in as themselves. A session that was made
 * by a key with scopes, or with an end, may not: such a way would outlast the key, and may more than it.
 */
export async function requireOwnSession({ scope, db }: Needs<"scope" | "db">): Promise<void> {
  const { sessionId, keyId, userId, teamId, scopes } = scope;
  if (sessionId === undefined)
    throw new Problem("resource_conflict", "This is for a person in a browser: sign in there, and ask from its pages.");
  if (keyId === sessionId) return;
  const key = await findKey(db, teamId, { userId, id: keyId });
  if (scopes === undefined && key?.expires_at === null) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    "Who has signed in by a key that ends, or has scopes, adds no way to sign in. Sign in another way first.",
  );
}
