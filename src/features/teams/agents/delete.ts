import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireSignInAuthority } from "../sessions/sign-in-authority.ts";
import { endAuthorization } from "./end.ts";
import { findAuthorization } from "./store.ts";

/** The agent may do nothing more. Throws 404 for an authorization that is not the caller's to end. */
export async function deleteAuthorization({ scope, db }: Needs<"scope" | "db">, id: string): Promise<void> {
  const row = await findAuthorization(db, scope.teamId, id);
  if (!row) throw notFound("Authorization", id);
  await requireSignInAuthority({ scope, db }, row.userId, notFound("Authorization", id));
  await endAuthorization(db, scope, row);
}
