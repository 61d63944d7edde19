import { isUuid } from "../../core/ids.ts";
import { notFound, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { maySee } from "./async/async-query.ts";
import { endQuery, settle } from "./async/finish.ts";
import { findQuery } from "./async/store.ts";

type Ctx = Needs<"scope" | "db" | "openEngine" | "openLake">;

/**
 * Cancels a running statement, at its source too: of the caller's own, or as an admin of anybody's in the team. One
 * that has ended, and another's, is not found.
 */
export async function cancelQuery(ctx: Ctx, requestId: string): Promise<void> {
  if (!isUuid(requestId) || !(await isCancelled(ctx, requestId.toLowerCase()))) throw notFound("Query", requestId);
}

/** Ends a query for those who have asked for it in somebody's name; that there is none is as good. */
export async function endQueryOf(
  { db, openEngine, openLake }: Needs<"db" | "openEngine" | "openLake">,
  { teamId, id }: { teamId: string; id: string },
  now: Date,
): Promise<void> {
  const query = await findQuery(db, teamId, id);
  if (!query || query.endedAt !== null) return;
  if (await openEngine(teamId).cancelStatement(id, undefined)) return;
  const cancelled = new Problem("query_cancelled", "The statement was cancelled.");
  await endQuery(db, query, await settle({ openLake }, query, cancelled), now);
}

async function isCancelled({ scope, db, openEngine, openLake }: Ctx, id: string): Promise<boolean> {
  const sender = scope.role === "admin" ? undefined : scope.userId;
  // Where it runs, how it ends is the engine's to say: what writes may have written.
  if (await openEngine(scope.teamId).cancelStatement(id, sender)) return true;
  const query = await findQuery(db, scope.teamId, id);
  if (!query || !maySee(query, scope)) return false;
  const cancelled = new Problem("query_cancelled", "The statement was cancelled.");
  return endQuery(db, query, await settle({ openLake }, query, cancelled), scope.now);
}
