// A statement handed to the engine, which carries it on alone: work of a Worker ends soon after its request does.

import type { StatementRequest } from "../../../../kernel/wire/engine.ts";
import type { AsyncStatementRequest } from "../../../../kernel/wire/statements/async-statement.ts";
import { CONTAINER_LIMITS } from "../../../platform/container/limits.ts";
import { ASYNC_QUERY_LIMITS } from "./limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { isBroken } from "../../../platform/engine/engine.ts";
import type { StatementEngine } from "../../../platform/engine/statement-engine.ts";
import { releasePins } from "../cluster/plan-cluster.ts";
import { toStatementProblem } from "../settle-write.ts";
import type { AsyncQuery } from "./async-query.ts";
import { endQuery, settle } from "./finish.ts";
import { beginHeld, countQueries, deleteOpen, findQuery, insertQuery, markAccepted } from "./store.ts";

export type StartDeps = Needs<"scope" | "db" | "tokens" | "openStatementEngine" | "openLake">;

/** A statement whose target has the roles of its sender with it, and what these are about. */
export type Fallback = NonNullable<AsyncStatementRequest["fallback"]>;

export type AsyncStatement = Pick<AsyncQuery, "engine" | "integrationId" | "accessDigest" | "writeJobId"> & {
  statement: StatementRequest;
  /** What the engine runs in its place where DuckDB has too little memory. */
  fallback?: Fallback | undefined;
};

/**
 * How long to wait for its end, and what keeps the start alive when the caller is gone. `leaseMs`: the statement ends
 * when nobody has looked after it for this long; such a query is asked for again and again.
 */
export type Waiting = {
  waitMs: number;
  leaseMs?: number;
  waitUntil: (work: Promise<unknown>) => void;
  /** The answer does not even wait for the query's start: why there was none is told to whoever asks for its result. */
  isAnsweredAtOnce?: boolean;
  /** What its reader is told beside its rows. */
  readerHead?: string;
  /** The query is held since {@link holdQuery}, and begins now. */
  isHeld?: true;
};

/** A query that may begin: its row is there, and no engine has been asked. */
type AdmittedQuery = { query: AsyncQuery; statement: StatementRequest; fallback: Fallback | undefined };

/** Throws the Problem that keeps the query from beginning, and leaves no row then. */
export async function admitQuery(ctx: StartDeps, asked: AsyncStatement, waiting: Waiting): Promise<AdmittedQuery> {
  const query = planQuery(ctx, asked, waiting);
  // The space for a repeated query was checked before, and it is not kept.
  if (!query.isRepeated) await requireSpace(ctx);
  const admitted = waiting.isHeld
    ? await beginHeld(ctx.db, query)
    : (await ctx.db.batch([deleteOpen(ctx.db, query), insertQuery(ctx.db, query)]))[1];
  if (admitted.length === 0)
    throw new Problem("resource_conflict", "A query of this X-Request-Id was sent before. Get it, or send a new id.");
  return { query, statement: asked.statement, fallback: asked.fallback };
}

/**
 * Answers the query as it runs, or as it stands where its sender waits. Throws the Problem that kept it from running.
 */
export async function startQuery(ctx: StartDeps, admitted: AdmittedQuery, waiting: Waiting): Promise<AsyncQuery> {
  const { query } = admitted;
  const started = start(ctx, admitted, waiting);
  waiting.waitUntil(started.catch(() => undefined));
  if (waiting.isAnsweredAtOnce) return query;
  await started;
  // Who does not wait is answered in one way, however soon the query ends.
  if (waiting.waitMs === 0) return query;
  return (await findQuery(ctx.db, query.teamId, query.id)) ?? query;
}

export function planQuery(
  { scope }: Needs<"scope">,
  { statement, fallback: _, ...asked }: AsyncStatement,
  waiting: Waiting,
): AsyncQuery {
  return {
    teamId: scope.teamId,
    id: statement.id,
    userId: scope.userId,
    ...asked,
    askedBy: statement.semantic ? "cube_query" : "sql",
    format: statement.format,
    problem: null,
    bytes: null,
    createdAt: scope.now.toISOString(),
    acceptedAt: null,
    deadlineAt: new Date(scope.now.getTime() + CONTAINER_LIMITS.startMs + statement.deadlineMs).toISOString(),
    endedAt: null,
    isRepeated: waiting.leaseMs !== undefined,
    readerHead: waiting.readerHead ?? null,
  };
}

/** Whether one more query may run. Queries that come at one time may pass a bound together. */
export const mayRunMore = async ({ scope, db }: Needs<"scope" | "db">): Promise<boolean> =>
  (await countQueries(db, scope.teamId)).running < ASYNC_QUERY_LIMITS.runningMax;

/** Queries that come at one time may pass a bound together. */
async function requireSpace({ scope, db }: StartDeps): Promise<void> {
  const { running, kept, bytes } = await countQueries(db, scope.teamId);
  if (running >= ASYNC_QUERY_LIMITS.runningMax)
    throw new Problem(
      "too_many_requests",
      `${running} asynchronous queries of the team run, which is as many as may. Send it when one has ended.`,
    );
  if (kept >= ASYNC_QUERY_LIMITS.keptMax || bytes >= ASYNC_QUERY_LIMITS.resultBytesPerTeamMax)
    throw new Problem(
      "business_quota_exceeded",
      `Of a team's asynchronous queries ${ASYNC_QUERY_LIMITS.keptMax} are kept, with ` +
        `${ASYNC_QUERY_LIMITS.resultBytesPerTeamMax / 1024 ** 3} GiB of results, for a day. Send it without \`respond-async\`.`,
    );
}

async function start(ctx: StartDeps, { query, statement, fallback }: AdmittedQuery, waiting: Waiting): Promise<void> {
  const { scope, db, openStatementEngine } = ctx;
  const engine = openStatementEngine(query.teamId, scope.plan);
  const request = await requestOf(ctx, { query, statement, fallback }, waiting);
  try {
    const { hasEnded } = await engine.startStatement(request);
    if (hasEnded) await engine.end();
    // It was cancelled before it began.
    if (!hasEnded && (await markAccepted(db, query, new Date().toISOString())).length === 0)
      await engine.cancelStatement(statement.id, statement.sender);
  } catch (error) {
    await engine.end();
    await releasePins(ctx, { ...statement, ...fallback }, query.integrationId);
    await giveUp(ctx, query, engine, error);
  }
}

/** How the engine is asked to carry the query on. */
export async function requestOf(
  { tokens }: Needs<"tokens">,
  { query, statement, fallback }: AdmittedQuery,
  { waitMs, leaseMs }: Pick<Waiting, "waitMs" | "leaseMs">,
): Promise<AsyncStatementRequest> {
  const expiresAt = Date.parse(query.deadlineAt) + ASYNC_QUERY_LIMITS.graceMs;
  const { teamId, id: queryId, createdAt } = query;
  const token = await tokens.mint({ use: "query", teamId, queryId, createdAt, expiresAt });
  const lease = leaseMs === undefined ? {} : { leaseMs };
  const storedBytesMax = ASYNC_QUERY_LIMITS.resultBytesMax;
  return { statement, token, storedBytesMax, waitMs, ...lease, ...(fallback && { fallback }) };
}

/** An engine whose answer was lost may run it, and may even have reported its end, which then counts. */
async function giveUp(ctx: StartDeps, query: AsyncQuery, engine: StatementEngine, error: unknown): Promise<void> {
  if (isBroken(error)) await engine.cancelStatement(query.id, query.userId).catch(() => false);
  const problem = await settle(ctx, query, toStatementProblem(error));
  if (await endQuery(ctx.db, query, problem, new Date())) throw problem;
}
