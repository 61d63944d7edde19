import { isUuid } from "../../core/ids.ts";
import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { openEngine } from "../../platform/engine/engine.ts";

/** Cancels a running statement of the own team, at its source too. One that has ended is not found. */
export async function cancelQuery({ scope, env }: Needs<"scope" | "env">, requestId: string): Promise<void> {
  const isCancelled =
    isUuid(requestId) && (await openEngine(env, scope.teamId).cancelStatement(requestId.toLowerCase()));
  if (!isCancelled) throw notFound("Query", requestId);
}
