// A query that its sender follows to its end and reads in parts, as Trino's clients do.

import type { Needs } from "../../../clients/context.ts";
import { isUuid } from "../../../core/ids.ts";
import { ASYNC_QUERY_LIMITS } from "./limits.ts";
import { notFound } from "../../../core/problem.ts";
import type { RunningRows } from "../../../platform/engine/engine.ts";
import { isWrite, resultKey, type AsyncQuery } from "./async-query.ts";
import { requireSuccess } from "./get.ts";
import { findQuery, moveEnd } from "./store.ts";
import { waitForEnd } from "./wait-for-end.ts";

type Ctx = Needs<"scope" | "db" | "bucket" | "openEngine" | "openLake">;

/** A place in a result, and how many bytes are wanted from there on. */
export type Part = { offset: number; length: number };

const KEPT_AHEAD_MS = 60_000;
const PAUSES = { firstPauseMs: 40, pauseMsMax: 250 };

/** The caller's own query; another user's is not found. */
export async function findOwnQuery({ scope, db }: Needs<"scope" | "db">, id: string): Promise<AsyncQuery | undefined> {
  const found = isUuid(id) ? await findQuery(db, scope.teamId, id) : undefined;
  return found?.userId === scope.userId ? found : undefined;
}

/** Renews the query's lease and waits `waitMs` at most for its end. Undefined where it is forgotten meanwhile. */
export const followQuery = (ctx: Ctx, query: AsyncQuery, waitMs: number): Promise<AsyncQuery | undefined> =>
  waitForEnd(ctx, query, { waitMs, ...PAUSES });

/** The caller's own query as it stands, whose lease is renewed; undefined of another user's. */
export async function followOwnQuery(ctx: Ctx, id: string): Promise<AsyncQuery | undefined> {
  const found = await findOwnQuery(ctx, id);
  return found && followQuery(ctx, found, 0);
}

/**
 * Bytes of the result of a query that still runs, from its engine; none where there are no more yet. Undefined where
 * the engine has none to read: the query's row says its end, or will. Throws where what its sender may read has
 * changed. Renews the query's lease.
 */
export async function readRunningPart(ctx: Ctx, query: AsyncQuery, part: Part): Promise<RunningRows | undefined> {
  if (query.endedAt !== null || isWrite(query)) return undefined;
  await requireSuccess(ctx, query);
  // What the engine does not say, the row says later.
  return ctx
    .openEngine(query.teamId)
    .readRows(query.id, part)
    .catch(() => undefined);
}

/**
 * Throws the Problem of one that failed, and refuses where what its sender may read has changed; what was written is
 * no secret to who wrote it.
 */
export async function requireOwnResult(ctx: Ctx, query: AsyncQuery): Promise<void> {
  if (isWrite(query) && !query.problem) return;
  await requireSuccess(ctx, query);
  // The sweep forgets a repeated query some time past its end: whoever reads on has it kept for longer. That is written
  // once for the pages of a minute.
  const keptUntil =
    ctx.scope.now.getTime() + ASYNC_QUERY_LIMITS.followedResultMs - ASYNC_QUERY_LIMITS.repeatedQueryResultMs;
  if (Date.parse(query.endedAt!) < keptUntil) await moveEnd(ctx.db, query, new Date(keptUntil + KEPT_AHEAD_MS));
}

/** Bytes of the stored result; fewer where it ends. */
export async function readStoredPart({ bucket }: Ctx, query: AsyncQuery, part: Part): Promise<Uint8Array> {
  const bytes = await bucket.readPart(resultKey(query), part);
  if (!bytes) throw notFound("Query", query.id);
  return bytes;
}
