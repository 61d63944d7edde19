// The end of an asynchronous query, recorded once and by whoever knows first: its engine, whoever asks for it, or the
// sweep.

import { isProblem, Problem } from "../../../core/problem.ts";
import { describeUnavailable } from "../../../platform/container/unavailable.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import { settleWrite } from "../settle-write.ts";
import { isPastSettling, keepProblem, nextLook, type AsyncQuery, type QueryName } from "./async-query.ts";
import { countEnd, findQuery, recordEnd } from "./store.ts";

/**
 * `bytes` of a stored result, with what its reader is told of its columns where that is said only now; or why there is
 * none. Answers whether it ended here: one that had ended stays so.
 */
export async function endQuery(
  db: Db,
  query: QueryName,
  end: { bytes: number; readerHead?: string | undefined } | Problem,
  now: Date,
): Promise<boolean> {
  const outcome =
    "bytes" in end
      ? { problem: null, bytes: end.bytes, readerHead: end.readerHead }
      : { problem: keepProblem(end), bytes: null };
  const ended = { ...outcome, at: now.toISOString() };
  const [, rows] = await db.batch([countEnd(db, query, now), recordEnd(db, query, ended)]);
  return rows.length > 0;
}

/**
 * {@link settleWrite} of a query. Throws `work_in_progress` where another sending of its statement may write yet: how
 * the query ended is known when that ends.
 */
export async function settle(
  deps: Needs<"openLake">,
  { id: statementId, integrationId: lakeId, writeJobId: jobId }: AsyncQuery,
  problem: Problem,
): Promise<Problem> {
  const settled = await settleWrite(deps, jobId === null ? null : { lakeId, statementId, jobId }, problem);
  if (settled.code === "work_in_progress" && settled !== problem) throw settled;
  return settled;
}

/**
 * Answers the query as it stands now. One whose engine is gone, or does not know it, has failed; one that may have
 * written goes on until it is known whether it has, or has not been for too long.
 */
export async function endIfLost(
  { db, openEngine, openLake }: Needs<"db" | "openEngine" | "openLake">,
  query: AsyncQuery,
  now: Date,
): Promise<AsyncQuery | undefined> {
  const look = query.endedAt === null ? nextLook(query, now) : "wait";
  if (look === "wait") return query;
  const unlessItMayBeKnown = (error: unknown): Problem | undefined =>
    isProblem(error) && isPastSettling(query, now) ? error : undefined;
  // An engine that can't be asked may be at work all the same, until its time is over.
  const mayRun =
    look === "ask" &&
    (await openEngine(query.teamId)
      .renewStatement(query.id)
      .catch(() => true));
  // A report that came meanwhile counts.
  const problem = mayRun ? undefined : await settle({ openLake }, query, lost()).catch(unlessItMayBeKnown);
  if (problem) await endQuery(db, query, problem, now);
  return findQuery(db, query.teamId, query.id);
}

/** The failure of a query whose engine is gone. */
const lost = (): Problem => new Problem("engine_unavailable", describeUnavailable("engine", "lost"));
