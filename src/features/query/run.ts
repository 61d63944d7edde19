// A statement from its caller to the engine, and its result back without looking at it.
//
// What ends a statement nobody waits for any more, phase by phase:
//  - before the first row: the caller's disconnect aborts the request's signal, and the statement is cancelled at once.
//    A local runtime (workerd by itself or under `wrangler dev`) only notices a disconnect when it writes to the
//    connection, which it doesn't before the first row. There `DELETE /v1/query/{request_id}` or the deadline ends it.
//  - while rows stream: the write to the gone caller fails, the body is cancelled from here through the engine's object
//    to the engine's socket, and the engine cancels at the source. In production the signal does the same a little
//    sooner.
//  - whenever this Worker itself is gone, in any phase: nobody renews the lease, and the engine cancels when it lapses.

import type { StatementRequest } from "../../../kernel/wire/engine.ts";
import { LIMITS } from "../../core/limits.ts";
import { isProblem, Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import type { Engine } from "../../platform/engine/engine.ts";
import { isAccessUnknown } from "../../platform/engine/failure.ts";
import { roundMs } from "../../http/meta.ts";
import { findExceeded } from "../quotas/metered.ts";
import { returnQuery } from "../quotas/reserve-query.ts";
import type { AsyncQuery } from "./async/async-query.ts";
import { admitQuery, startQuery, type AsyncStatement, type Waiting } from "./async/start.ts";
import { takeEnd, type Begun, type Taking } from "./async/take-end.ts";
import { chooseAfterFailure, chooseFallback } from "./cluster/choose-engine.ts";
import { releasePins } from "./cluster/plan-cluster.ts";
import { prepareQuery, type QueryInput, type QueryDeps, type Writing } from "./prepare-query.ts";
import { settleFor, settleWrite, toStatementProblem } from "./settle-write.ts";
import { serverTiming } from "./server-timing.ts";
import { engineOf, type Target } from "./target.ts";

/**
 * The life of the request: `signal` aborts when the caller is gone, `waitUntil` keeps what is still to be done alive.
 */
export type Life = {
  signal: AbortSignal;
  waitUntil: (work: Promise<unknown>) => void;
  /** Whether the caller named the request, which may then be a repeat. */
  isNamed: boolean;
  /** How long it took to know who asks, in milliseconds. */
  authenticateMs?: number | undefined;
};

/** Runs a statement or a semantic query, and answers the engine's Response, streaming. Its id is the request's. */
export async function runQuery(ctx: QueryDeps, query: QueryInput, writing: Writing, life: Life): Promise<Response> {
  const { scope, openStatementEngine, meter } = ctx;
  const receivedAtMs = performance.now();
  const prepared = await prepareQuery(ctx, query, writing, LIMITS.queryDeadlineMsDefault);
  const { statement, loadTarget, integrationId, write } = prepared;
  const startedAtMs = performance.now();
  const earlier = { authenticate: roundMs(life.authenticateMs ?? 0), prepare: roundMs(startedAtMs - receivedAtMs) };
  const engine = openStatementEngine(scope.teamId, scope.plan);
  const timing = (reported: string | null): string => {
    const phases = { ...earlier, engine: roundMs(performance.now() - startedAtMs) };
    return serverTiming(phases, reported, engine.placement);
  };
  const ended = (): void => {
    const durationMs = performance.now() - startedAtMs;
    meter.count(scope.teamId, { type: "query", durationMs }, life.waitUntil);
    life.waitUntil(engine.end());
  };
  const sent = { ...statement, earlier };
  const running = runLeased(loadTarget ? sendingRoles(engine, loadTarget) : engine, sent, { ...life, ended, timing });
  return running.catch(async (error: unknown) => {
    const problem = toStatementProblem(error);
    const planned = statement.isTranslated && (await chooseAfterFailure(ctx, query, problem));
    if (planned) {
      returnQuery(ctx);
      const leftMs = statement.deadlineMs - Math.round(performance.now() - receivedAtMs);
      return runQuery(ctx, { ...query, planned, timeout_ms: Math.max(1, leftMs) }, writing, life);
    }
    if (problem.code === "engine_unavailable") await releasePins(ctx, statement, integrationId);
    const settling = settleWrite(ctx, write, problem);
    // Also where the caller has gone: a lease that nobody ends holds the table.
    life.waitUntil(settling.catch(() => undefined));
    return rejectWithFigures(ctx, await settleFor(settling, problem, life.isNamed));
  });
}

/** Hands one statement to the engine, and answers how it stands. Its id is the request's. */
export async function runQueryAsync(
  ctx: QueryDeps,
  query: QueryInput,
  writing: Writing,
  waiting: Waiting,
): Promise<AsyncQuery> {
  const admitted = await whilePlanned(ctx, query, writing, (asked) =>
    admitQuery(ctx, asked, waiting).catch(async (error: unknown) => {
      await releasePins(ctx, { ...asked.statement, ...asked.fallback }, asked.integrationId);
      throw error;
    }),
  );
  return startQuery(ctx, admitted, waiting);
}

/** Hands one statement that reads to the engine, and answers its result where it ends at once, with a small one. */
export async function runQueryBriefly(
  ctx: QueryDeps,
  query: QueryInput,
  writing: Writing,
  taking: Taking,
): Promise<Begun> {
  const asked = await whilePlanned(ctx, query, writing, async (planned) => planned);
  return takeEnd(ctx, asked, taking);
}

/** Does `admit` with the statement as an engine carries it on alone. */
async function whilePlanned<Admitted>(
  ctx: QueryDeps,
  query: QueryInput,
  writing: Writing,
  admit: (asked: AsyncStatement) => Promise<Admitted>,
): Promise<Admitted> {
  const prepared = await prepareQuery(ctx, query, writing, LIMITS.queryDeadlineMsMax);
  const { statement, loadTarget, access, integrationId, write } = prepared;
  const accessDigest = access.kind === "all" ? null : access.digest;
  const writeJobId = write?.jobId ?? null;
  return returningUnlessSent(ctx, async () => {
    // Nobody is there to be asked for the roles.
    const target = loadTarget ? await loadTarget() : statement.target;
    const planFallback = query.planFallback ?? (() => chooseFallback(ctx, query, statement));
    const fallback = await planFallback();
    const engine = engineOf(statement);
    return admit({
      statement: { ...statement, target },
      ...{ engine, integrationId, accessDigest, writeJobId, fallback },
    });
  });
}

/** A statement that is refused before its engine is asked was counted as it was prepared, and is not any more. */
async function returningUnlessSent<Admitted>(ctx: QueryDeps, admit: () => Promise<Admitted>): Promise<Admitted> {
  try {
    return await admit();
  } catch (error) {
    returnQuery(ctx);
    throw error;
  }
}

/** Where a plan is full the engine passes on words alone; the figures beside them are ours. */
export async function rejectWithFigures({ db, scope }: Needs<"db" | "scope">, error: unknown): Promise<never> {
  const isFull = isProblem(error) && error.code === "business_quota_exceeded";
  throw (isFull ? await findExceeded(db, scope, ["lakeBytes"]) : undefined) ?? error;
}

type RunningEngine = Pick<Engine, "runStatement" | "renewStatement" | "cancelStatement">;

/** An engine that is given the roles once more where it does not know them; a statement that it refuses has not run. */
const sendingRoles = (engine: RunningEngine, loadTarget: () => Promise<Target>): RunningEngine => ({
  ...engine,
  async runStatement(statement, signal) {
    try {
      return await engine.runStatement(statement, signal);
    } catch (error) {
      if (!isAccessUnknown(error)) throw error;
      return engine.runStatement({ ...statement, target: await loadTarget() }, signal);
    }
  },
});

/**
 * Keeps the statement's lease from receipt to the last byte, and cancels it when the caller goes away. `ended` is
 * called once, whatever comes of it; `timing` makes the answer's `Server-Timing` of the engine's.
 */
async function runLeased(
  engine: RunningEngine,
  statement: StatementRequest,
  { signal, waitUntil, ended, timing }: Life & { ended: () => void; timing: (reported: string | null) => string },
): Promise<Response> {
  // A renewal that fails is made up for by the next; the lease outlasts two.
  const renewal = setInterval(() => void engine.renewStatement(statement.id).catch(() => false), statement.leaseMs / 3);
  const cancel = () => waitUntil(engine.cancelStatement(statement.id, statement.sender).catch(() => false));
  signal.addEventListener("abort", cancel, { once: true });
  const finish = () => {
    clearInterval(renewal);
    signal.removeEventListener("abort", cancel);
    ended();
  };

  try {
    const answer = await engine.runStatement(statement, signal);
    if (answer.status === 304) {
      finish();
      const headers = resultHeaders(answer.headers);
      headers.delete("content-type");
      return new Response(null, { status: 304, headers });
    }
    if (!answer.body) throw new Error("The engine answered a statement without a body.");
    // The runtime moves the bytes from one stream to the other by itself; none of them pass through our code.
    const { readable, writable } = new IdentityTransformStream();
    waitUntil(answer.body.pipeTo(writable).then(finish, finish));
    const headers = resultHeaders(answer.headers);
    if (statement.target.kind !== "source") headers.set("fjord-engine", engineOf(statement));
    headers.set("server-timing", timing(answer.headers.get("server-timing")));
    return new Response(readable, { status: 200, headers });
  } catch (error) {
    finish();
    if (signal.aborted)
      throw new Problem("query_cancelled", "The caller went away before the first row.", [], { cause: error });
    throw error;
  }
}

/** The headers of the engine's result that are passed on to the caller. */
function resultHeaders(reported: Headers): Headers {
  const headers = new Headers({ "content-type": reported.get("content-type") ?? "application/octet-stream" });
  for (const name of ["age", "cache-status", "etag"]) {
    const value = reported.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}
