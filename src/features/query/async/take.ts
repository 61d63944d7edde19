// One run for a query that its caller asks for again and again until its result is there, as clients of Cube do.

import { LIMITS } from "../../../core/limits.ts";
import { isProblem } from "../../../core/problem.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import type { Needs } from "../../../platform/context.ts";
import type { NewQuery } from "../query.ts";
import { runQueryAsync, type QueryDeps, type Writing } from "../run.ts";
import { resultKey, type AsyncQuery } from "./async-query.ts";
import { endIfLost } from "./finish.ts";
import { openQuery, type QueryState } from "./get.ts";
import { mayRunMore } from "./start.ts";
import { deleteEnded, findQuery, markTaken } from "./store.ts";

type TakingDeps = QueryDeps & Needs<"bucket">;

/** `call`: tells apart what the caller asks at the same time in the same words; empty where the caller says nothing. */
type RepeatedQuery = { query: NewQuery; writing: Writing; call: string };

/**
 * Answers the result of the query's run, or after a while that it still runs. Asked again by the same key in the same
 * words it is the same run, until its result or its failure is taken; then a new one begins. A run that nobody asks
 * for any more is cancelled. Where as many queries of the team run as may, none begins yet. Hand what is taken to
 * {@link forgetQuery} once it has been read.
 */
export async function takeQuery(
  ctx: TakingDeps,
  repeated: RepeatedQuery,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<QueryState | { kind: "waiting" }> {
  const id = await idOf(ctx, repeated);
  const found = await findQuery(ctx.db, ctx.scope.teamId, id);
  const known = found && isOfUse(found, ctx.scope.now) ? await waitForEnd(ctx, found) : undefined;
  // Another request of the same words may take the result of both, and forget it: then there is none for this one.
  const taken = known && (await take(ctx, known));
  if (taken) return taken;
  if (found && found.endedAt !== null) await forgetQuery(ctx, found);
  if (!(await mayRunMore(ctx))) {
    await scheduler.wait(LIMITS.repeatedQueryWaitMs);
    return { kind: "waiting" };
  }
  const begun = await begin(ctx, repeated, { id, waitUntil });
  return (await take(ctx, begun)) ?? { kind: "running", query: begun };
}

/** Removes the result with its query. Where this is lost, the sweep forgets it. */
export async function forgetQuery({ db, bucket }: Needs<"db" | "bucket">, query: AsyncQuery): Promise<void> {
  await bucket.delete([resultKey(query)]);
  await deleteEnded(db, query);
}

/** A UUID of version 8: the digest of who asks, what, and in which call. */
async function idOf({ scope }: Needs<"scope">, { query, call }: RepeatedQuery): Promise<string> {
  const hex = await sha256Hex(JSON.stringify([scope.userId, scope.keyId, query, call]));
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

/** One that was taken, or that its caller left alone, is older than its sender's question. */
function isOfUse({ endedAt, problem }: AsyncQuery, now: Date): boolean {
  if (endedAt === null) return true;
  return problem?.code !== "query_cancelled" && Date.parse(endedAt) > now.getTime() - LIMITS.repeatedQueryResultMs;
}

const FIRST_PAUSE_MS = 125;
const PAUSE_MS_MAX = 1_000;

/** Renews the run's lease, and waits. Undefined where the query is forgotten meanwhile. */
async function waitForEnd(ctx: TakingDeps, query: AsyncQuery): Promise<AsyncQuery | undefined> {
  let pauseMs = FIRST_PAUSE_MS;
  let state = await endIfLost(ctx, query, ctx.scope.now);
  for (let waitedMs = 0; state?.endedAt === null && waitedMs < LIMITS.repeatedQueryWaitMs; waitedMs += pauseMs) {
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
    await scheduler.wait(pauseMs);
    state = await findQuery(ctx.db, query.teamId, query.id);
  }
  return state;
}

async function begin(
  ctx: TakingDeps,
  { query, writing }: RepeatedQuery,
  { id, waitUntil }: { id: string; waitUntil: (work: Promise<unknown>) => void },
): Promise<AsyncQuery> {
  const { db, scope } = ctx;
  const waiting = { waitMs: LIMITS.repeatedQueryWaitMs, leaseMs: LIMITS.repeatedQueryLeaseMs, waitUntil };
  try {
    return await runQueryAsync({ ...ctx, scope: { ...scope, requestId: id } }, query, writing, waiting);
  } catch (error) {
    const left = await findQuery(db, scope.teamId, id);
    // A request with the same question came at the same time, and its run has begun.
    const isBegun = left && isProblem(error) && error.code === "resource_conflict";
    const state = isBegun ? await waitForEnd(ctx, left) : undefined;
    if (state) return state;
    if (left) await forgetQuery(ctx, left);
    throw error;
  }
}

/** Undefined where the result is there no more. */
async function take(ctx: TakingDeps, query: AsyncQuery): Promise<QueryState | undefined> {
  if (query.endedAt === null) return { kind: "running", query };
  // As one that is to be forgotten: the next question in these words has a run of its own.
  const takenAt = new Date(ctx.scope.now.getTime() - LIMITS.asyncQueryKeptMs).toISOString();
  await markTaken(ctx.db, query, takenAt);
  const taken = { ...query, endedAt: takenAt };
  try {
    return await openQuery(ctx, taken);
  } catch (error) {
    await forgetQuery(ctx, taken);
    if (query.problem || !isProblem(error) || error.code !== "resource_not_found") throw error;
    return undefined;
  }
}
