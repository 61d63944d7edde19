// A SQL or Cube dataset: the platform's own query, asked with the run's key, its result kept as an Arrow stream.

import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { ReadableStream } from "node:stream/web";
import { codeIn, messageIn, PlatformRefusal } from "../../program/platform-client.ts";

const ARROW = "application/vnd.apache.arrow.stream";
/** With these the platform leaves open whether a statement is written; its repeat under the same id writes once. */
const OPEN_OUTCOMES = ["write_outcome_unknown", "work_in_progress"];
const TRIES = 8;
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 15_000;

export type QueryBody =
  | { sql: string; parameters?: Record<string, unknown>; integration_id?: string }
  | { cube_query: Record<string, unknown>; integration_id?: string };

export type QueryToFile = {
  platformUrl: string;
  apiKey: string;
  body: QueryBody;
  /** The statement's: however often it is sent under this, it is written once. */
  id: string;
  timeoutMs: number;
  file: string;
  bytesMax: number;
  /** Whether the platform may take the statement for one that writes. */
  mayWrite: boolean;
  signal: AbortSignal;
};

/**
 * Answers the result's bytes; null of a statement that was committed and whose result was lost. Rejects with an
 * {@link OpenOutcome}, with another Error for the dataset's author, or with the signal's reason.
 */
export async function queryToFile(query: QueryToFile): Promise<number | null> {
  const { timeoutMs, signal, mayWrite, id } = query;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const stream = await askUntilKnown(query, AbortSignal.any([signal, deadline]));
    return stream && (await keep(stream, query));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof OpenOutcome) throw error;
    if (deadline.aborted) throw new Error(`The query ran longer than its ${timeoutMs} ms.`);
    if (!(error instanceof TypeError)) throw error;
    throw mayWrite
      ? new OpenOutcome(id, error)
      : new Error("The query broke off; the platform's log says why.", { cause: error });
  }
}

/** The statement may be written, and nobody could say so in time. */
export class OpenOutcome extends Error {
  readonly code = "write_outcome_unknown";

  constructor(id: string, cause: unknown) {
    super(
      `Whether the statement was written is not known. Send it again with the X-Request-Id ${id}: it is written once, ` +
        "however often it is sent.",
      { cause },
    );
  }
}

/** Sends the statement again under its id while an answer leaves its outcome open. */
async function askUntilKnown(query: QueryToFile, signal: AbortSignal): Promise<Readable | null> {
  const openOutcome = (cause: unknown) => (query.mayWrite ? new OpenOutcome(query.id, cause) : cause);
  let open: unknown;
  for (let tries = 1; ; tries++) {
    try {
      return await ask(query, signal);
    } catch (error) {
      if (!leavesOpen(error)) throw signal.aborted && open !== undefined ? openOutcome(open) : error;
      open = error;
    }
    if (tries >= TRIES) throw openOutcome(open);
    const pauseMs = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** tries);
    await delay(pauseMs, undefined, { signal }).catch(() => Promise.reject(openOutcome(open)));
  }
}

/** The platform's word that the outcome is open. */
class OpenRefusal extends PlatformRefusal {}

/** fetch rejects with a TypeError where the connection breaks. */
const leavesOpen = (error: unknown): boolean => error instanceof TypeError || error instanceof OpenRefusal;

async function ask(
  { platformUrl, apiKey, body, id, timeoutMs }: QueryToFile,
  signal: AbortSignal,
): Promise<Readable | null> {
  const response = await fetch(new URL("/v1/query", platformUrl), {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      accept: ARROW,
      "x-request-id": id,
    },
    body: JSON.stringify({ ...body, timeout_ms: timeoutMs }),
    signal,
  });
  if (!response.ok) {
    const text = await response.text();
    const code = codeIn(text);
    // The id is this dataset's own, so that what is written under it is the dataset's.
    if (code === "write_committed") return null;
    const isOpen = code !== undefined && OPEN_OUTCOMES.includes(code);
    throw new (isOpen ? OpenRefusal : PlatformRefusal)(response.status, messageIn(text));
  }
  if (!response.headers.get("content-type")?.startsWith(ARROW) || !response.body)
    throw new Error("The query was not answered as an Arrow stream.");
  return Readable.fromWeb(response.body as ReadableStream);
}

async function keep(stream: Readable, { file, bytesMax }: QueryToFile): Promise<number> {
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      const tooLarge = `The query's result is larger than ${bytesMax} bytes. Select fewer rows or columns.`;
      done(bytes > bytesMax ? new Error(tooLarge) : null, chunk);
    },
  });
  await pipeline(stream, count, createWriteStream(file, { mode: 0o600 }));
  return bytes;
}
