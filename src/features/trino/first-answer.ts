// The first answer to a statement that reads: its rows, where it ends soon with few, or where they will be.

import { LIMITS } from "../../core/limits.ts";
import type { AskedQuery } from "../query/prepare-query.ts";
import { runQueryBriefly } from "../query/run.ts";
import { answerOf } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { pageAddress } from "./page-address.ts";
import { AFTER_ROW } from "./rows.ts";

/** `columns` are absent where the engine says them with the rows. */
export async function answerFirst(
  { ctx, id, origin }: Exchange,
  query: AskedQuery,
  columns?: string,
): Promise<Response> {
  const taking = {
    waitMs: LIMITS.trinoFirstWaitMs,
    leaseMs: LIMITS.trinoLeaseMs,
    waitUntil: (work: Promise<unknown>) => ctx.waitUntil(work),
    ...(columns !== undefined && { readerHead: columns }),
  };
  const scoped = { ...ctx, scope: { ...ctx.scope, requestId: id } };
  const writing = { format: "ndjson", numbers: "exact", isLists: true } as const;
  const begun = await runQueryBriefly(scoped, query, writing, taking);
  const known = { id, origin, elapsedMs: Math.max(0, Date.now() - ctx.scope.now.getTime()) };
  if (begun.kind === "running") {
    const nextUri = await pageAddress(ctx, { origin, queryId: id, offset: 0 });
    return answerOf({ ...known, state: "RUNNING", nextUri });
  }
  const data = begun.rows.slice(0, -AFTER_ROW);
  return answerOf({ ...known, state: "FINISHED", columns: columns ?? begun.readerHead ?? "[]", data });
}
