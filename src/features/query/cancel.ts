import { isUuid } from "../../core/ids.ts";
import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";

/**
 * Cancels a running statement, at its source too: of the caller's own, or as an admin of anybody's in the team. One
 * that has ended, and another's, is not found.
 */
export async function cancelQuery(
  { scope, openEngine }: Needs<"scope" | "openEngine">,
  requestId: string,
): Promise<void> {
  const sender = scope.role === "admin" ? undefined : scope.userId;
  const isCancelled =
    isUuid(requestId) && (await openEngine(scope.teamId).cancelStatement(requestId.toLowerCase(), sender));
  if (!isCancelled) throw notFound("Query", requestId);
}
