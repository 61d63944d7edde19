// A page of a statement's rows, or how the statement stands.

import type { CallContext } from "../../http/call.ts";
import { LIMITS } from "../../core/limits.ts";
import { isProblem, Problem } from "../../core/problem.ts";
import { beginOwnHeldQuery } from "../query/async/hold.ts";
import { cancelQuery } from "../query/cancel.ts";
import { problemFrom } from "../query/async/async-query.ts";
import { followQuery, readStoredPart, requireOwnResult } from "../query/async/follow.ts";
import { answerOf, type Progress } from "./answer.ts";
import { noPage, pageAddress, readPageAddress } from "./page-address.ts";
import { trinoError } from "./trino-error.ts";
import { readWritten, readWrittenHead, writtenUncounted } from "./written.ts";

export async function getPage(ctx: CallContext, address: string): Promise<Response> {
  const { queryId, offset } = await readPageAddress(ctx, address);
  // What writes has one page, which is its first.
  if (offset === 0) await beginWrite(ctx, queryId);
  const query = await followQuery(ctx, queryId, LIMITS.trinoPageWaitMs);
  if (!query) throw noPage();
  return pageOf(ctx, query, { offset, requireResult: (ended) => requireOwnResult(ctx, ended) });
}

type Query = NonNullable<Awaited<ReturnType<typeof followQuery>>>;

/** `requireResult` throws the Problem of a query that failed, or whose result its sender may not read. */
type Reading = { offset: number; requireResult: (query: Query) => void | Promise<void> };

/** How the statement stands, with the rows from the offset on where it has ended. */
async function pageOf(ctx: CallContext, query: Query, { offset, requireResult }: Reading): Promise<Response> {
  const { origin } = new URL(ctx.request.url);
  const { id: queryId } = query;
  const elapsedMs = Math.max(0, ctx.scope.now.getTime() - Date.parse(query.createdAt));
  const known = { id: queryId, origin, elapsedMs };
  const next = (from: number): Promise<string> => pageAddress(ctx, { origin, queryId, offset: from });
  if (query.endedAt === null) {
    const state = query.acceptedAt === null ? "QUEUED" : "RUNNING";
    return answerOf({ ...known, state, nextUri: await next(offset) } satisfies Progress);
  }
  const written = readWrittenHead(query);
  try {
    await requireResult(query);
    if (written) return answerOf({ ...known, ...(await readWritten(ctx, query, written)) });
    const columns = query.readerHead ?? "[]";
    const { data, end } = await readRows(ctx, query, offset);
    if (end < (query.bytes ?? 0))
      return answerOf({ ...known, state: "RUNNING", columns, data, nextUri: await next(end) });
    return answerOf({ ...known, state: "FINISHED", columns, data });
  } catch (error) {
    if (written && isProblem(error) && error.code === "write_committed")
      return answerOf({ ...known, ...writtenUncounted(written) });
    return answerOf({ ...known, state: "FAILED", error: trinoError(error, "") });
  }
}

/**
 * The first answer to a statement that reads: with its first rows, where it ends soon. `started` settles once it has
 * ended, or runs for a while.
 */
export async function firstPage(ctx: CallContext, begun: Query, started: Promise<unknown>): Promise<Response> {
  await Promise.race([started, scheduler.wait(LIMITS.trinoFirstWaitMs)]);
  // What its sender may read was looked up by this request, and whoever reads on keeps the result.
  const requireResult = ({ problem }: Query): void => {
    if (problem) throw problemFrom(problem);
  };
  return pageOf(ctx, (await followQuery(ctx, begun.id, 0)) ?? begun, { offset: 0, requireResult });
}

/** A statement that writes waits for the first request for a page; this one, or another that comes with it. */
async function beginWrite(ctx: CallContext, queryId: string): Promise<void> {
  const { waitUntil } = ctx;
  const waiting = { waitMs: 0, leaseMs: LIMITS.trinoLeaseMs, waitUntil, isAnsweredAtOnce: true } as const;
  await beginOwnHeldQuery(ctx, queryId, { format: "ndjson", numbers: "exact" }, waiting);
}

/** Whoever may not see the statement finds none; one that has ended is as good as cancelled. */
export async function cancelPage(ctx: CallContext, address: string): Promise<void> {
  const { queryId } = await readPageAddress(ctx, address);
  const query = await followQuery(ctx, queryId, 0);
  if (!query) throw noPage();
  if (query.endedAt === null) await cancelQuery(ctx, queryId);
}

const NEWLINE = 0x0a;
/** A stored row is `{"r":[…]}`. */
const BEFORE = '{"r":'.length;
const BEHIND = "}".length;

/** Whole rows from an offset on, with commas between them, and where the next begin. */
async function readRows(ctx: CallContext, query: Query, offset: number): Promise<{ data: string; end: number }> {
  const bytesMax = query.bytes ?? 0;
  if (offset >= bytesMax) return { data: "", end: bytesMax };
  for (let length = LIMITS.trinoPageBytes; length <= LIMITS.trinoRowBytesMax; length *= 4) {
    const bytes = await readStoredPart(ctx, query, { offset, length });
    const whole = offset + bytes.length >= bytesMax ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
    if (whole === 0) continue;
    const lines = new TextDecoder().decode(bytes.subarray(0, whole)).trimEnd().split("\n");
    return { data: lines.map((line) => line.slice(BEFORE, -BEHIND)).join(","), end: offset + whole };
  }
  throw new Problem("query_failed", `A row has more than ${LIMITS.trinoRowBytesMax} bytes.`);
}
