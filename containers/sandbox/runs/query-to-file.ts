// A SQL or Cube dataset: the platform's own query, asked with the run's key, its result kept as an Arrow stream.

import { createWriteStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { codeIn, messageIn, PlatformRefusal } from "../../program/platform-client.ts";

const ARROW = "application/vnd.apache.arrow.stream";

export type QueryBody =
  | { sql: string; integration_id?: string }
  | { cube_query: Record<string, unknown>; integration_id?: string };

export type QueryToFile = {
  platformUrl: string;
  apiKey: string;
  body: QueryBody;
  timeoutMs: number;
  file: string;
  bytesMax: number;
  signal: AbortSignal;
};

/**
 * Answers the result's bytes; null of a statement that was committed and whose result was lost. Rejects with an Error
 * for the dataset's author, or with the signal's reason.
 */
export async function queryToFile(query: QueryToFile): Promise<number | null> {
  const { timeoutMs, signal } = query;
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const stream = await ask(query, AbortSignal.any([signal, deadline]));
    return stream && (await keep(stream, query));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.aborted) throw new Error(`The query ran longer than its ${timeoutMs} ms.`);
    if (error instanceof TypeError)
      throw new Error("The query broke off; the platform's log says why.", { cause: error });
    throw error;
  }
}

async function ask(
  { platformUrl, apiKey, body, timeoutMs }: QueryToFile,
  signal: AbortSignal,
): Promise<Readable | null> {
  const response = await fetch(new URL("/v1/query", platformUrl), {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", accept: ARROW },
    body: JSON.stringify({ ...body, timeout_ms: timeoutMs }),
    signal,
  });
  if (!response.ok) {
    const text = await response.text();
    // The platform gave the request its id, so that what is written under it is this dataset's.
    if (codeIn(text) === "write_committed") return null;
    throw new PlatformRefusal(response.status, messageIn(text));
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
