// The first answer to a statement that reads: its rows, where it ends soon with few, or where they will be.

import { TRINO_LIMITS } from "./limits.ts";
import type { Begun } from "../query/async/take-end.ts";
import type { QueryInput } from "../query/prepare-query.ts";
import { runQueryBriefly } from "../query/run.ts";
import { answerOf } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { pageAddress } from "./page-address.ts";
import { AFTER_ROW } from "./rows.ts";

/** Runs what reads, and takes its end where that comes in time: each row is a list, with a comma behind it. */
export function runFirst({ ctx, id }: Exchange, query: QueryInput, waitMs: number, columns?: string): Promise<Begun> {
  const taking = {
    waitMs,
    leaseMs: TRINO_LIMITS.leaseMs,
    waitUntil: (work: Promise<unknown>) => ctx.waitUntil(work),
    ...(columns !== undefined && { readerHead: columns }),
  };
  const scoped = { ...ctx, scope: { ...ctx.scope, requestId: id } };
  const writing = { format: "ndjson", numbers: "exact", isLists: true } as const;
  return runQueryBriefly(scoped, query, writing, taking);
}

/** `columns` are absent where the engine says them with the rows. */
export async function answerFirst(asked: Exchange, query: QueryInput, columns?: string): Promise<Response> {
  const { ctx, id, origin } = asked;
  const begun = await runFirst(asked, query, TRINO_LIMITS.firstWaitMs, columns);
  const known = { id, origin, elapsedMs: Math.max(0, Date.now() - ctx.scope.now.getTime()) };
  if (begun.kind === "running") {
    const nextUri = await pageAddress(ctx, { origin, queryId: id, offset: 0 });
    return answerOf({ ...known, state: "RUNNING", nextUri });
  }
  const data = begun.rows.slice(0, -AFTER_ROW);
  return answerOf({ ...known, state: "FINISHED", columns: columns ?? begun.readerHead ?? "[]", data });
}
