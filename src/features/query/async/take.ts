// One run for a query that its caller asks for again and again until its result is there, as clients of Cube do.

import { ASYNC_QUERY_LIMITS } from "./limits.ts";
import { isProblem, PROBLEMS } from "../../../core/problem.ts";
import { sha256Hex } from "../../../platform/crypto/digest.ts";
import type { Needs } from "../../../clients/context.ts";
import type { NewQuery } from "../query.ts";
import { runQueryAsync } from "../run.ts";
import type { QueryDeps, Writing } from "../prepare-query.ts";
import type { AsyncQuery } from "./async-query.ts";
import { forgetQuery } from "./forget.ts";
import { openQuery, type QueryState } from "./get.ts";
import { mayRunMore } from "./start.ts";
import { findQuery, moveEnd } from "./store.ts";
import { waitForEnd } from "./wait-for-end.ts";

type EndedQuery = Extract<QueryState, { kind: "ended" }>;
type TakingDeps = QueryDeps & Needs<"bucket">;

/** `call`: tells apart what the caller asks at the same time in the same words; empty where the caller says nothing. */
type RepeatedQuery = { query: NewQuery; writing: Writing; call: string };

/**
 * Answers the results of the queries' runs; undefined where one still runs after a while. Asked again by the same key
 * in the same words it is the same run, until its result or its failure is taken; then a new one begins. A run that
 * nobody asks for any more is cancelled. Where as many queries of the team run as may, none begins yet. Say to
 * {@link endTaking} whether what is taken was handed on.
 */
export async function takeQueries(
  ctx: TakingDeps,
  repeated: readonly RepeatedQuery[],
  waitUntil: (work: Promise<unknown>) => void,
): Promise<EndedQuery[] | undefined> {
  const states = await Promise.all(repeated.map((each) => awaitQuery(ctx, each, waitUntil)));
  const ended = states.filter((state) => state !== undefined);
  const areAll = ended.length === states.length;
  // After one that was taken, the next question in its words has a run of its own; another waits for those that run.
  const endedAt = areAll ? new Date(ctx.scope.now.getTime() - ASYNC_QUERY_LIMITS.keptMs) : ctx.scope.now;
  await Promise.all(ended.map(({ query }) => moveEnd(ctx.db, query, endedAt)));
  if (areAll) return ended;
  await Promise.all(ended.map(({ body }) => body.cancel()));
  return undefined;
}

/** Removes a result that was handed on; another is found by whoever asks again soon. If lost, the sweep forgets it. */
export async function endTaking(ctx: Needs<"db" | "bucket">, query: AsyncQuery, wasHandedOn: boolean): Promise<void> {
  if (wasHandedOn) await forgetQuery(ctx, query);
  else await moveEnd(ctx.db, query, new Date(query.endedAt!));
}

async function awaitQuery(
  ctx: TakingDeps,
  repeated: RepeatedQuery,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<EndedQuery | undefined> {
  const { db, scope } = ctx;
  const id = await idOf(ctx, repeated);
  const left = await findQuery(db, scope.teamId, id);
  const found = left && isOwnRun(ctx, left) ? left : undefined;
  const state = found && isOfUse(found, scope.now) ? await waitForEnd(ctx, found, WAITING) : found;
  if (state?.endedAt === null) return undefined;
  if (state && !isOfUse(state, scope.now)) await forgetQuery(ctx, state);
  // Another request of the same words may take the result of both, and forget it: then there is none for this one.
  else if (state) {
    const ended = await openEnded(ctx, state);
    if (ended) return ended;
  }
  if (!(await mayRunMore({ scope, db }))) {
    await scheduler.wait(ASYNC_QUERY_LIMITS.repeatedQueryWaitMs);
    return undefined;
  }
  const begun = await begin(ctx, repeated, { id, waitUntil });
  return begun && openEnded(ctx, begun);
}

/** The caller names a query, and may have named it as a run of the caller's own. */
const isOwnRun = ({ scope }: Needs<"scope">, { isRepeated, userId }: AsyncQuery): boolean =>
  isRepeated && userId === scope.userId;

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
  return (
    problem?.code !== "query_cancelled" &&
    Date.parse(endedAt) > now.getTime() - ASYNC_QUERY_LIMITS.repeatedQueryResultMs
  );
}

const PAUSE_MS_MAX = 1_000;
const WAITING = { waitMs: ASYNC_QUERY_LIMITS.repeatedQueryWaitMs, firstPauseMs: 250, pauseMsMax: PAUSE_MS_MAX };

async function begin(
  ctx: TakingDeps,
  { query, writing }: RepeatedQuery,
  { id, waitUntil }: { id: string; waitUntil: (work: Promise<unknown>) => void },
): Promise<AsyncQuery | undefined> {
  const { scope } = ctx;
  const waiting = {
    waitMs: ASYNC_QUERY_LIMITS.repeatedQueryWaitMs,
    leaseMs: ASYNC_QUERY_LIMITS.repeatedQueryLeaseMs,
    waitUntil,
  };
  try {
    return await runQueryAsync({ ...ctx, scope: { ...scope, requestId: id } }, query, writing, waiting);
  } catch (error) {
    const left = await findQuery(ctx.db, scope.teamId, id);
    if (!isProblem(error) || (left && !isOwnRun(ctx, left))) throw error;
    // A request with the same question came at the same time: its run has begun, or its result is taken already.
    if (error.code === "resource_conflict") return left && waitForEnd(ctx, left, WAITING);
    if (!left) throw error;
    await forgetQuery(ctx, left);
    if (error.code !== "work_in_progress") throw error;
    // An earlier run of the question has said how it ended, and is about to leave its engine.
    await scheduler.wait(PAUSE_MS_MAX);
    return undefined;
  }
}

/**
 * Undefined where it runs, or its result is there no more. Throws the Problem of one that failed, which is told once;
 * any other failure says nothing of the result, which stays for whoever asks again.
 */
async function openEnded(ctx: TakingDeps, query: AsyncQuery): Promise<EndedQuery | undefined> {
  try {
    const state = await openQuery(ctx, query);
    return state.kind === "ended" ? state : undefined;
  } catch (error) {
    const isOver = query.problem !== null || (isProblem(error) && PROBLEMS[error.code].status < 500);
    if (isOver) await forgetQuery(ctx, query);
    if (query.problem || !isProblem(error) || error.code !== "resource_not_found") throw error;
    return undefined;
  }
}
