import { isUuid } from "../../../core/ids.ts";
import { notFound, Problem } from "../../../core/problem.ts";
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

/** Throws the Problem of one that failed, and refuses where what its sender may read has changed. */
export async function requireSuccess(ctx: Ctx, query: AsyncQuery): Promise<void> {
  await requireSameAccess(ctx, query);
  if (query.problem) throw problemFrom(query.problem);
}

/** A result holds what its sender might read as it was made, and so may the words of a failure. */
async function requireSameAccess(ctx: Ctx, { integrationId, accessDigest }: AsyncQuery): Promise<void> {
  const access = await resolveAccess(ctx, { id: integrationId });
  if (access.kind === "all" || access.digest === accessDigest) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    "What you may read has changed since this query was sent. Send it again.",
  );
}
