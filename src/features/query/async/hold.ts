// A statement that is held until its sender asks how it stands. Whoever lost the answer to the first request sends it
// again as another statement, of which the first has never begun; the second request is repeated without harm.

import { ASYNC_QUERY_LIMITS } from "./limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { runQueryAsync } from "../run.ts";
import type { QueryDeps, Writing } from "../prepare-query.ts";
import { toStatementProblem } from "../settle-write.ts";
import { keepProblem, type HeldQuery } from "./async-query.ts";
import { endQuery } from "./finish.ts";
import { mayRunMore, type Waiting } from "./start.ts";
import { endHeldOverdue, findHeld, insertHeld } from "./store.ts";

type HeldStatement = { id: string; sql: string; lakeId: string; readerHead: string };

/** Keeps a statement on a lake, of which no engine knows before {@link beginOwnHeldQuery}. */
export async function holdQuery(
  { scope, db }: Needs<"scope" | "db">,
  { id, sql, lakeId, readerHead }: HeldStatement,
): Promise<void> {
  const held: HeldQuery = {
    teamId: scope.teamId,
    id,
    userId: scope.userId,
    integrationId: lakeId,
    accessDigest: null,
    engine: "duckdb",
    writeJobId: null,
    askedBy: "sql",
    format: "ndjson",
    problem: null,
    bytes: null,
    createdAt: scope.now.toISOString(),
    acceptedAt: null,
    deadlineAt: new Date(scope.now.getTime() + ASYNC_QUERY_LIMITS.heldStatementMs).toISOString(),
    endedAt: null,
    isRepeated: true,
    readerHead,
    heldSql: sql,
  };
  const { heldStatementsPerUserMax: heldMax } = ASYNC_QUERY_LIMITS;
  if (await insertHeld(db, held, heldMax)) return;
  throw new Problem(
    "too_many_requests",
    `${heldMax} statements that write have not begun, which is as many as you may have: ask for their pages, or wait ` +
      "until they end, some minutes from when they were sent. Then send this one again.",
  );
}

/**
 * Begins the caller's query where it is held. One of the requests that come together begins it. It stays held while as
 * many queries of the team run as may. A failure to begin is how it ends: no later request begins it again.
 */
export async function beginOwnHeldQuery(
  ctx: QueryDeps,
  id: string,
  writing: Writing,
  waiting: Omit<Waiting, "isHeld" | "readerHead">,
): Promise<void> {
  const { scope, db } = ctx;
  const held = await findHeld(db, scope.teamId, id);
  if (held?.userId !== scope.userId) return;
  const isOverdue = scope.now.getTime() > Date.parse(held.deadlineAt);
  if (!isOverdue && !(await mayRunMore(ctx))) return;
  try {
    if (isOverdue) throw neverBegun();
    await begin(ctx, held, writing, waiting);
  } catch (error) {
    const now = await findHeld(db, scope.teamId, id);
    // Where it is not held any more another request has begun it, and that one's engine says how it ends.
    if (now) await endQuery(db, now, toStatementProblem(error), scope.now);
  }
}

/** Ends queries that are held past their deadline. Answers how many. */
export async function endOverdueHeld({ db }: Needs<"db">, at: Date): Promise<number> {
  const end = { problem: keepProblem(neverBegun()), at: at.toISOString() };
  return (await endHeldOverdue(db, end, ASYNC_QUERY_LIMITS.sweptMax)).length;
}

const neverBegun = (): Problem =>
  new Problem(
    "query_cancelled",
    `The statement did not begin within ${ASYNC_QUERY_LIMITS.heldStatementMs / 60_000} minutes: nobody asked for its page, or as ` +
      "many queries of the team ran as may. Nothing of it was written.",
  );

async function begin(
  ctx: QueryDeps,
  { id, heldSql: sql, integrationId, readerHead }: HeldQuery,
  writing: Writing,
  waiting: Waiting,
): Promise<void> {
  const scope = { ...ctx.scope, requestId: id };
  const head = readerHead === null ? {} : { readerHead };
  await runQueryAsync({ ...ctx, scope }, { sql, isTranslated: true, integration_id: integrationId }, writing, {
    ...waiting,
    ...head,
    isHeld: true,
  });
}
