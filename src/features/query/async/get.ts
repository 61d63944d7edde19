import { isUuid } from "../../../core/ids.ts";
import { notFound, Problem, type ProblemCode } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { resolveAccess } from "../../access/resolve.ts";
import { maySee, problemFrom, resultKey, type AsyncQuery } from "./async-query.ts";
import { endIfLost } from "./finish.ts";
import { findQuery } from "./store.ts";

type Ctx = Needs<"scope" | "db" | "bucket" | "openEngine" | "openLake">;

/** The stored result of a query, or the query where it has not ended. */
export type QueryState =
  | { kind: "running"; query: AsyncQuery }
  | { kind: "ended"; query: AsyncQuery; body: ReadableStream; size: number };

/**
 * For who sent it, and for admins; another's is not found. Throws the Problem of one that failed, and refuses where
 * what the sender may read has changed.
 */
export const getQuery = async (ctx: Ctx, requestId: string): Promise<QueryState> =>
  openQuery(ctx, await requireQuery(ctx, requestId));

/** Where the result of a query is stored, as {@link getQuery} would open it; undefined while it goes on. */
export async function findQueryResult(
  ctx: Ctx,
  requestId: string,
): Promise<{ key: string; bytes: number } | undefined> {
  const query = await requireQuery(ctx, requestId);
  if (query.endedAt === null) return undefined;
  await requireSuccess(ctx, query);
  const stored = await ctx.bucket.find(resultKey(query));
  if (!stored) throw notFound("Query", query.id);
  return { key: stored.key, bytes: stored.size };
}

async function requireQuery(ctx: Ctx, requestId: string): Promise<AsyncQuery> {
  const { scope, db } = ctx;
  const found = isUuid(requestId) ? await findQuery(db, scope.teamId, requestId.toLowerCase()) : undefined;
  const query = found && maySee(found, scope) ? await endIfLost(ctx, found, scope.now) : undefined;
  if (!query) throw notFound("Query", requestId);
  return query;
}

/** Describes a query that was found. */
export async function openQuery(ctx: Ctx, query: AsyncQuery): Promise<QueryState> {
  if (query.endedAt === null) return { kind: "running", query };
  await requireSuccess(ctx, query);
  const stored = await ctx.bucket.read(resultKey(query));
  if (!stored) throw notFound("Query", query.id);
  return { kind: "ended", query, ...stored };
}

/** Failures by which a statement has written, or may have. Their words hold no data. */
const WRITTEN: readonly ProblemCode[] = ["write_committed", "write_outcome_unknown"];

/**
 * Throws the Problem of one that failed, and refuses where what its sender may read has changed. Whoever may not read
 * any more what was written hears that it was all the same, or would send it again.
 */
export async function requireSuccess(ctx: Ctx, query: AsyncQuery): Promise<void> {
  const { problem } = query;
  if (problem && WRITTEN.includes(problem.code)) throw problemFrom(problem);
  await requireSameAccess(ctx, query);
  if (problem) throw problemFrom(problem);
}

/** A result holds what its sender might read as it was made, and so may the words of a failure. */
async function requireSameAccess(ctx: Ctx, query: AsyncQuery): Promise<void> {
  const access = await resolveAccess(ctx, { id: query.integrationId });
  if (access.kind === "all" || access.digest === query.accessDigest) return;
  const changed = "What you may read has changed since this query was sent.";
  throw new Problem("forbidden_insufficient_permissions", `${changed} ${adviceOn(query)}`);
}

/** Only the engine knows whether a statement that might write does. */
function adviceOn({ writeJobId, problem }: AsyncQuery): string {
  if (problem) return "It failed.";
  return writeJobId === null ? "Send it again." : "It has run: if it is one that writes, it has written.";
}
