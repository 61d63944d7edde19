// A query that its sender follows to its end and reads in parts, as Trino's clients do.

import type { Needs } from "../../../clients/context.ts";
import { isUuid } from "../../../core/ids.ts";
import { LIMITS } from "../../../core/limits.ts";
import { notFound } from "../../../core/problem.ts";
import { isWrite, resultKey, type AsyncQuery } from "./async-query.ts";
import { requireSuccess } from "./get.ts";
import { findQuery, moveEnd } from "./store.ts";
import { waitForEnd } from "./wait-for-end.ts";

type Ctx = Needs<"scope" | "db" | "bucket" | "openEngine" | "openLake">;

const PAUSES = { firstPauseMs: 40, pauseMsMax: 250 };

/** Renews the query's lease and waits for its end, no longer than `waitMs`. Another user's is not found. */
export async function followQuery(ctx: Ctx, id: string, waitMs: number): Promise<AsyncQuery | undefined> {
  const { scope, db } = ctx;
  const found = isUuid(id) ? await findQuery(db, scope.teamId, id) : undefined;
  if (found?.userId !== scope.userId) return undefined;
  return waitForEnd(ctx, found, { waitMs, ...PAUSES });
}

/**
 * Throws the Problem of one that failed, and refuses where what its sender may read has changed; what was written is
 * no secret to who wrote it.
 */
export async function requireOwnResult(ctx: Ctx, query: AsyncQuery): Promise<void> {
  if (isWrite(query) && !query.problem) return;
  await requireSuccess(ctx, query);
  // The sweep forgets a repeated query some time past its end: whoever reads on has it kept for longer.
  const keptMs = LIMITS.followedResultMs - LIMITS.repeatedQueryResultMs;
  await moveEnd(ctx.db, query, new Date(ctx.scope.now.getTime() + keptMs));
}

/** Bytes of the stored result; fewer where it ends. */
export async function readStoredPart(
  { bucket }: Ctx,
  query: AsyncQuery,
  part: { offset: number; length: number },
): Promise<Uint8Array> {
  const bytes = await bucket.readPart(resultKey(query), part);
  if (!bytes) throw notFound("Query", query.id);
  return bytes;
}
