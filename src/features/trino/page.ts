// A page of a statement's rows, or how the statement stands.

import type { CallContext } from "../../http/call.ts";
import { TRINO_LIMITS } from "./limits.ts";
import { isProblem, Problem } from "../../core/problem.ts";
import { beginOwnHeldQuery } from "../query/async/hold.ts";
import { cancelQuery } from "../query/cancel.ts";
import type { AsyncQuery } from "../query/async/async-query.ts";
import {
  findOwnQuery,
  followOwnQuery,
  followQuery,
  readRunningPart,
  readStoredPart,
  requireOwnResult,
  type Part,
} from "../query/async/follow.ts";
import type { RunningRows } from "../../platform/engine/engine.ts";
import { answerOf, type Progress } from "./answer.ts";
import { noPage, pageAddress, readPageAddress } from "./page-address.ts";
import { wholeRows } from "./rows.ts";
import { trinoError } from "./trino-error.ts";
import { readWritten, readWrittenHead, writtenUncounted } from "./written.ts";

export async function getPage(ctx: CallContext, address: string): Promise<Response> {
  const { queryId, offset } = await readPageAddress(ctx, address);
  // What writes has one page, which is its first.
  if (offset === 0) await beginWrite(ctx, queryId);
  const found = await findOwnQuery(ctx, queryId);
  if (!found) throw noPage();
  const early = await earlyPage(ctx, found, offset);
  if (early) return early;
  const query = await followQuery(ctx, found, TRINO_LIMITS.pageWaitMs);
  if (!query) throw noPage();
  return pageOf(ctx, query, offset);
}

function knownOf(ctx: CallContext, { id, createdAt }: AsyncQuery) {
  const { origin } = new URL(ctx.request.url);
  const elapsedMs = Math.max(0, ctx.scope.now.getTime() - Date.parse(createdAt));
  return { id, origin, elapsedMs };
}

/** Rows that a statement has so far, while it runs; undefined where the query's row is to say how the query stands. */
async function earlyPage(ctx: CallContext, query: AsyncQuery, offset: number): Promise<Response | undefined> {
  // Without its columns a page has no rows.
  if (query.readerHead === null) return undefined;
  try {
    const rows = await readRows((part) => readRunningPart(ctx, query, part), offset);
    return rows && (await answerRows(ctx, query, rows));
  } catch (error) {
    return answerOf({ ...knownOf(ctx, query), state: "FAILED", error: trinoError(error, "") });
  }
}

/** How the statement stands, with the rows from the offset on where it has ended. */
async function pageOf(ctx: CallContext, query: AsyncQuery, offset: number): Promise<Response> {
  const known = knownOf(ctx, query);
  if (query.endedAt === null) {
    const state = query.acceptedAt === null ? "QUEUED" : "RUNNING";
    const nextUri = await pageAddress(ctx, { origin: known.origin, queryId: query.id, offset });
    return answerOf({ ...known, state, nextUri } satisfies Progress);
  }
  const written = readWrittenHead(query);
  try {
    await requireOwnResult(ctx, query);
    if (written) return answerOf({ ...known, ...(await readWritten(ctx, query, written)) });
    const rows = await readRows((part) => readStored(ctx, query, part), offset);
    return await answerRows(ctx, query, rows!);
  } catch (error) {
    if (written && isProblem(error) && error.code === "write_committed")
      return answerOf({ ...known, ...writtenUncounted(written) });
    return answerOf({ ...known, state: "FAILED", error: trinoError(error, "") });
  }
}

/** `next` is where more rows are, or will be; undefined after the last of a statement that has succeeded. */
type Rows = { data?: Uint8Array; next: number | undefined };

async function answerRows(ctx: CallContext, query: AsyncQuery, { next, ...rows }: Rows): Promise<Response> {
  const known = { ...knownOf(ctx, query), columns: query.readerHead ?? "[]", ...rows };
  if (next === undefined) return answerOf({ ...known, state: "FINISHED" });
  const nextUri = await pageAddress(ctx, { origin: known.origin, queryId: query.id, offset: next });
  return answerOf({ ...known, state: "RUNNING", nextUri });
}

/** A statement that writes waits for the first request for a page; this one, or another that comes with it. */
async function beginWrite(ctx: CallContext, queryId: string): Promise<void> {
  const { waitUntil } = ctx;
  const waiting = { waitMs: 0, leaseMs: TRINO_LIMITS.leaseMs, waitUntil, isAnsweredAtOnce: true } as const;
  await beginOwnHeldQuery(ctx, queryId, { format: "ndjson", numbers: "exact" }, waiting);
}

/** Whoever may not see the statement finds none; one that has ended is as good as cancelled. */
export async function cancelPage(ctx: CallContext, address: string): Promise<void> {
  const { queryId } = await readPageAddress(ctx, address);
  const query = await followOwnQuery(ctx, queryId);
  if (!query) throw noPage();
  if (query.endedAt === null) await cancelQuery(ctx, queryId);
}

type ReadPart = (part: Part) => Promise<RunningRows | undefined>;

async function readStored(ctx: CallContext, query: AsyncQuery, part: Part): Promise<RunningRows> {
  const size = query.bytes ?? 0;
  if (part.offset >= size) return { bytes: new Uint8Array(0), isEnd: true };
  const bytes = await readStoredPart(ctx, query, part);
  return { bytes, isEnd: part.offset + bytes.length >= size };
}

/** Whole rows from an offset on; undefined where nobody has them. */
async function readRows(read: ReadPart, offset: number): Promise<Rows | undefined> {
  for (let length = TRINO_LIMITS.pageBytes; length <= TRINO_LIMITS.rowBytesMax; length *= 4) {
    const part = await read({ offset, length });
    if (!part) return undefined;
    const { bytes, isEnd } = part;
    const rows = wholeRows(bytes);
    if (rows)
      return { data: rows.data, next: isEnd && rows.length === bytes.length ? undefined : offset + rows.length };
    // A row that has begun is not whole yet.
    if (bytes.length < length) return { next: isEnd ? undefined : offset };
  }
  throw new Problem("query_failed", `A row has more than ${TRINO_LIMITS.rowBytesMax} bytes.`);
}
