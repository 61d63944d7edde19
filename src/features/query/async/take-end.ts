// A sender waits for a moment for a statement that reads: where it has ended by then with a small result, the sender
// takes that, and nothing is left of the statement. Any other goes on as an asynchronous query from then on.

import type { AsyncStatementOutcome } from "../../../../kernel/wire/statements/async-statement.ts";
import { ASYNC_QUERY_LIMITS } from "./limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { isBroken } from "../../../platform/engine/engine.ts";
import { problemOf } from "../../../platform/engine/failure.ts";
import { releasePins } from "../cluster/plan-cluster.ts";
import { toStatementProblem } from "../settle-write.ts";
import type { AsyncQuery } from "./async-query.ts";
import { planQuery, requestOf, type AsyncStatement, type StartDeps, type Waiting } from "./start.ts";
import { insertQuery } from "./store.ts";

/** `rows` are the result in its format; `readerHead` is what the engine says of its columns. */
export type TakenEnd = { kind: "ended"; rows: string; readerHead: string | undefined };
export type Begun = TakenEnd | { kind: "running"; query: AsyncQuery };

/** `leaseMs`: a statement that goes on ends when nobody has looked after it for this long. */
export type Taking = Required<Pick<Waiting, "waitMs" | "leaseMs">> & Pick<Waiting, "waitUntil" | "readerHead">;

type Deps = StartDeps & Needs<"meter">;

/** Throws the Problem of a statement that has failed by then. A statement that may write is none for this. */
export function takeEnd(ctx: Deps, asked: AsyncStatement, taking: Taking): Promise<Begun> {
  if (asked.writeJobId !== null) throw new Error("A statement that may write leaves a row before it begins.");
  const begun = begin(ctx, asked, taking);
  // Also where the caller has gone: a statement that goes on has a row by which it is found, and ended.
  taking.waitUntil(begun.catch(() => undefined));
  return begun;
}

async function begin(ctx: Deps, asked: AsyncStatement, taking: Taking): Promise<Begun> {
  const { scope, openStatementEngine } = ctx;
  const { statement, fallback, integrationId } = asked;
  const query = planQuery(ctx, asked, taking);
  const engine = openStatementEngine(scope.teamId, scope.plan);
  const request = await requestOf(ctx, { query, statement, fallback }, taking);
  const answeredBytesMax = ASYNC_QUERY_LIMITS.trinoAnsweredBytes;
  const { hasEnded, end } = await engine
    .startStatement({ ...request, answeredBytesMax })
    .catch(async (error: unknown) => {
      await engine.end();
      await releasePins(ctx, { ...statement, ...fallback }, integrationId);
      if (isBroken(error)) await engine.cancelStatement(query.id, query.userId).catch(() => false);
      throw toStatementProblem(error);
    });
  if (hasEnded) taking.waitUntil(engine.end());
  if (!end) return { kind: "running", query: await keepRunning(ctx, query, () => engine.cancelStatement(query.id)) };
  const durationMs = Date.now() - scope.now.getTime();
  ctx.meter.count(scope.teamId, { type: "query", durationMs }, taking.waitUntil);
  return endOf(query, end.outcome, end.rows);
}

/** From here on the query is followed by its row. One without a row is cancelled. */
async function keepRunning(
  { db }: Needs<"db">,
  query: AsyncQuery,
  cancel: () => Promise<boolean>,
): Promise<AsyncQuery> {
  const running = { ...query, acceptedAt: new Date().toISOString() };
  try {
    const kept = await insertQuery(db, running);
    if (kept.length > 0) return running;
    throw new Problem("resource_conflict", "There is a query of this id.");
  } catch (error) {
    await cancel().catch(() => false);
    throw error;
  }
}

function endOf({ askedBy }: AsyncQuery, outcome: AsyncStatementOutcome, rows: string): TakenEnd {
  if (outcome.outcome === "failed") throw problemOf(outcome.failure, askedBy, outcome.location);
  return { kind: "ended", rows, readerHead: outcome.readerHead };
}
