// One statement at Snowflake: sent, waited for, and ended there when nobody waits any more.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { BoundValue } from "../../../../../kernel/semantic/query.ts";
import { Failure } from "../../../core/failure.ts";
import { protocolViolation } from "./errors.ts";
import type { ServiceAnswer } from "./sdk-http.ts";
import type { Session } from "./session.ts";
import { statementParameters } from "./session-parameters.ts";

export type Statement = {
  sql: string;
  /** The values of the statement's `?`. */
  values?: readonly BoundValue[] | undefined;
  signal: AbortSignal;
  /** After this Snowflake ends the statement by itself. */
  timeoutMs?: number;
  /** The statement's name in the account's query history. */
  id?: string | undefined;
};

/** A column as Snowflake describes it. */
export type RowType = {
  name: string;
  /** `fixed`, `real`, `text`, `timestamp_tz` … */
  type: string;
  /** The type of a value that is sent as another type: `GEOGRAPHY`. */
  extTypeName: string | undefined;
  nullable: boolean;
  precision: number | undefined;
  scale: number | undefined;
  length: number | undefined;
};

/** A part of a result that lies in a store; sizes are undefined where the answer names none. */
export type Chunk = {
  url: string;
  rowCount: number;
  compressedSize: number | undefined;
  uncompressedSize: number | undefined;
};

/** The answer of a statement that ended well. */
export type Answer = {
  queryId: string;
  columns: RowType[];
  /** The first rows: JSON's arrays of texts and nulls. */
  rowset: unknown[];
  chunks: Chunk[];
  /** The headers that the stores want with each chunk's request. */
  chunkHeaders: Record<string, string>;
};

const TIMEOUT_MS_DEFAULT = 900_000;
const ABORT_MS = 3_000;
const RUNNING = ["333333", "333334"];
/** The service holds a question for 45 s; one that answers at once is asked more and more seldom. */
const POLL_MS_MAX = 5_000;
const RESULT_PATH = /^\/queries\/[A-Za-z0-9-]+\/result(?:\?[\w=&.-]*)?$/;

/**
 * Settles once the statement has ended. Rejects with a SnowflakeError, a Failure, or the signal's reason: then the
 * statement was ended at the server too.
 */
export async function runStatement(session: Session, statement: Statement): Promise<Answer> {
  const requestId = randomUUID();
  statement.signal.throwIfAborted();
  try {
    return readAnswer(await send(session, statement, requestId));
  } catch (error) {
    if (statement.signal.aborted || error instanceof Failure) await abort(session, requestId);
    throw statement.signal.aborted ? statement.signal.reason : error;
  }
}

async function send(session: Session, statement: Statement, requestId: string): Promise<ServiceAnswer> {
  const { sql, values, signal, timeoutMs = TIMEOUT_MS_DEFAULT, id } = statement;
  const order = {
    sqlText: sql,
    disableOfflineChunks: false,
    asyncExec: false,
    parameters: statementParameters(timeoutMs, id),
    ...(values && values.length > 0 ? { bindings: bindingsOf(values) } : {}),
  };
  let answer = await session.request("POST", `/queries/v1/query-request?requestId=${requestId}`, order, signal);
  for (let pauseMs = 50; RUNNING.includes(answer.code ?? ""); pauseMs = Math.min(pauseMs * 2, POLL_MS_MAX)) {
    const path = answer.data?.getResultUrl;
    if (typeof path !== "string" || !RESULT_PATH.test(path)) return protocolViolation("a result has no address");
    const askedAt = Date.now();
    answer = await session.request("GET", path, undefined, signal);
    const leftMs = pauseMs - (Date.now() - askedAt);
    if (leftMs > 0) await sleep(leftMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  return answer;
}

/** Has the server end the statement that was sent under `requestId`. Never rejects. */
async function abort(session: Session, requestId: string): Promise<void> {
  const path = `/queries/v1/abort-request?requestId=${randomUUID()}`;
  await session.request("POST", path, { requestId }, AbortSignal.timeout(ABORT_MS)).catch(() => {});
}

const bindingsOf = (values: readonly BoundValue[]): Record<string, { type: string; value: string | null }> =>
  Object.fromEntries(
    values.map((value, i) => [i + 1, { type: bindingType(value), value: value === null ? null : String(value) }]),
  );

function bindingType(value: BoundValue): string {
  if (typeof value === "boolean") return "BOOLEAN";
  if (typeof value !== "number") return "TEXT";
  return Number.isSafeInteger(value) ? "FIXED" : "REAL";
}

type Fields = Record<string, unknown>;

function readAnswer({ data }: ServiceAnswer): Answer {
  const fields: Fields = data ?? {};
  if (fields.rowsetBase64 !== undefined || (fields.queryResultFormat ?? "json") !== "json")
    throw new Failure("connection_failed", "Snowflake answers in Arrow where JSON was asked for.", { reason: "other" });
  if (fields.resultIds) throw new Failure("statement_refused", "Snowflake took this for several statements.");
  if (fields.command !== undefined || fields.stageInfo !== undefined)
    throw new Failure("statement_refused", "The statement moves files, which is not done here.");
  const rowset = fields.rowset ?? [];
  const chunks = fields.chunks ?? [];
  if (!Array.isArray(rowset) || !Array.isArray(chunks) || !Array.isArray(fields.rowtype))
    return protocolViolation("a result is not of the form that results have");
  const answer: Answer = {
    queryId: typeof fields.queryId === "string" ? fields.queryId : "",
    columns: fields.rowtype.map(readColumn),
    rowset,
    chunks: chunks.map(readChunk),
    chunkHeaders: readChunkHeaders(fields),
  };
  checkCounts(answer, fields);
  return answer;
}

/** The two counts of rows have to agree; an address that comes twice would give its rows twice. */
function checkCounts({ rowset, chunks }: Answer, { total, returned }: Fields): void {
  const rows = chunks.reduce((sum, { rowCount }) => sum + rowCount, rowset.length);
  for (const count of [total, returned])
    if (count !== undefined && count !== null && count !== rows)
      protocolViolation(`a result of ${String(count)} rows has parts of ${rows}`);
  if (new Set(chunks.map(({ url }) => url)).size !== chunks.length) protocolViolation("a result has a part twice");
}

function readColumn(type: unknown): RowType {
  const { name, type: kind, extTypeName, nullable, precision, scale, length } = (type ?? {}) as Fields;
  if (typeof name !== "string" || typeof kind !== "string") return protocolViolation("a column has no name or type");
  return {
    name,
    type: kind.toLowerCase(),
    extTypeName: typeof extTypeName === "string" ? extTypeName : undefined,
    nullable: nullable !== false,
    precision: wholeNumber(precision),
    scale: wholeNumber(scale),
    length: wholeNumber(length),
  };
}

function readChunk(chunk: unknown): Chunk {
  const { url, rowCount, compressedSize, uncompressedSize } = (chunk ?? {}) as Fields;
  const rows = wholeNumber(rowCount);
  if (typeof url !== "string" || rows === undefined)
    return protocolViolation("a part of a result has no address or count");
  return {
    url,
    rowCount: rows,
    compressedSize: wholeNumber(compressedSize),
    uncompressedSize: wholeNumber(uncompressedSize),
  };
}

const CHUNK_HEADER = /^x-(?:amz|ms|goog)-[a-z0-9-]{1,100}$/i;

/** The key by which the store opens the chunks, as it asks for it. */
function readChunkHeaders({ chunkHeaders, qrmk }: Fields): Record<string, string> {
  if (typeof chunkHeaders === "object" && chunkHeaders !== null)
    return Object.fromEntries(
      Object.entries(chunkHeaders).filter(
        ([name, value]) => CHUNK_HEADER.test(name) && typeof value === "string" && /^[\x20-\x7e]*$/.test(value),
      ),
    ) as Record<string, string>;
  if (typeof qrmk !== "string" || !/^[\x21-\x7e]+$/.test(qrmk)) return {};
  return {
    "x-amz-server-side-encryption-customer-algorithm": "AES256",
    "x-amz-server-side-encryption-customer-key": qrmk,
  };
}

const wholeNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
