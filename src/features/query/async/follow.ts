// A query that its sender follows to its end and reads in parts, as Trino's clients do.

import type { Needs } from "../../../clients/context.ts";
import { isUuid } from "../../../core/ids.ts";
import { LIMITS } from "../../../core/limits.ts";
import { notFound, type ProblemCode } from "../../../core/problem.ts";
import { isWrite, problemFrom, resultKey, type AsyncQuery } from "./async-query.ts";
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

/** Throws the Problem of one that failed, and refuses where what its sender may read has changed. */
export async function requireOwnResult(ctx: Ctx, query: AsyncQuery): Promise<void> {
  if (isWrite(query)) return requireWritten(ctx, query);
  await requireSuccess(ctx, query);
  // The sweep forgets a repeated query some time past its end: whoever reads on has it kept for longer.
  const keptMs = LIMITS.followedResultMs - LIMITS.repeatedQueryResultMs;
  await moveEnd(ctx.db, query, new Date(ctx.scope.now.getTime() + keptMs));
}

/** Failures by which a statement has written, or may have. */
const WRITTEN: readonly ProblemCode[] = ["write_committed", "write_outcome_unknown"];

/**
 * Whoever may not read any more what was written hears that it was all the same, or would send it again. Only the words
 * of why it was not may hold data.
 */
async function requireWritten(ctx: Ctx, query: AsyncQuery): Promise<void> {
  const { problem } = query;
  if (problem && WRITTEN.includes(problem.code)) throw problemFrom(problem);
  if (problem) await requireSuccess(ctx, query);
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
