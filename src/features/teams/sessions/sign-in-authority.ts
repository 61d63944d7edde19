import type { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { getUser } from "../users/get.ts";
import { requireAuthorityOver } from "../users/user.ts";

/**
 * Throws `otherwise` unless the caller may end a way in which the user signs in: their own, with all of their rights,
 * or another's, for whoever manages the team. An operator's are ended by operators alone.
 */
export async function requireSignInAuthority(
  { scope, db }: Needs<"scope" | "db">,
  userId: string,
  otherwise: Problem,
): Promise<void> {
  const isThemselves = scope.userId === userId && scope.scopes === undefined && scope.runId === undefined;
  if (isThemselves) return;
  if (!scope.rights.includes("team:manage")) throw otherwise;
  requireAuthorityOver(scope, await getUser({ scope, db }, userId));
}
