// A statement that is held until its sender asks how it stands. Whoever lost the answer to the first request sends it
// again as another statement, of which the first has never begun; the second request is repeated without harm.

import { LIMITS } from "../../../core/limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { runQueryAsync, type QueryDeps, type Writing } from "../run.ts";
import { toStatementProblem } from "../settle-write.ts";
import type { AsyncQuery } from "./async-query.ts";
import { endQuery } from "./finish.ts";
import type { Waiting } from "./start.ts";
import { findQuery, insertQuery } from "./store.ts";

type HeldStatement = { id: string; sql: string; lakeId: string; readerHead: string };

/** Keeps a statement on a lake, of which no engine knows before {@link beginHeldQuery}. */
export async function holdQuery(
  { scope, db }: Needs<"scope" | "db">,
  { id, sql, lakeId, readerHead }: HeldStatement,
): Promise<void> {
  const held: AsyncQuery = {
    teamId: scope.teamId,
    id,
    userId: scope.userId,
    integrationId: lakeId,
    accessDigest: null,
    writeJobId: null,
    askedBy: "sql",
    format: "ndjson",
    problem: null,
    bytes: null,
    createdAt: scope.now.toISOString(),
    acceptedAt: null,
    deadlineAt: new Date(scope.now.getTime() + LIMITS.heldStatementMs).toISOString(),
    endedAt: null,
    isRepeated: true,
    readerHead,
    heldSql: sql,
  };
  const inserted = await insertQuery(db, held);
  if (inserted.length === 0) throw new Error("A new id is taken.");
}

/**
 * Begins the caller's query where it is held. Of requests that come together one begins it. A failure to begin is how
 * it ends: no later request begins it again.
 */
export async function beginOwnHeldQuery(
  ctx: QueryDeps,
  id: string,
  writing: Writing,
  waiting: Omit<Waiting, "isHeld" | "readerHead">,
): Promise<void> {
  const { scope, db } = ctx;
  const held = await findQuery(db, scope.teamId, id);
  if (held?.userId !== scope.userId || held.heldSql === null || held.endedAt !== null) return;
  try {
    await begin(ctx, { ...held, heldSql: held.heldSql }, writing, waiting);
  } catch (error) {
    const now = await findQuery(db, scope.teamId, id);
    // Where it is not held any more another request has begun it, and that one's engine says how it ends.
    if (now && now.heldSql !== null) await endQuery(db, now, toStatementProblem(error), scope.now);
  }
}

async function begin(
  ctx: QueryDeps,
  { id, heldSql: sql, integrationId, readerHead, deadlineAt }: AsyncQuery & { heldSql: string },
  writing: Writing,
  waiting: Waiting,
): Promise<void> {
  if (ctx.scope.now.getTime() > Date.parse(deadlineAt))
    throw new Problem("query_cancelled", "Nobody asked for the statement in time, so that it did not begin.");
  const scope = { ...ctx.scope, requestId: id };
  const head = readerHead === null ? {} : { readerHead };
  await runQueryAsync({ ...ctx, scope }, { sql, integration_id: integrationId }, writing, {
    ...waiting,
    ...head,
    isHeld: true,
  });
}
