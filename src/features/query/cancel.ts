import { isUuid } from "../../core/ids.ts";
import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";

/** Cancels a running statement of the own team, at its source too. One that has ended is not found. */
export async function cancelQuery(
  { scope, openEngine }: Needs<"scope" | "openEngine">,
  requestId: string,
): Promise<void> {
  const isCancelled = isUuid(requestId) && (await openEngine(scope.teamId).cancelStatement(requestId.toLowerCase()));
  if (!isCancelled) throw notFound("Query", requestId);
}
