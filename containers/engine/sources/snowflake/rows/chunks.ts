// The parts of a result that lie in a cloud's store: fetched a little ahead of whoever reads, held against what the
// answer says of them, and asked for again where the way failed.

import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { Failure } from "../../../core/failure.ts";
import { PinnedHttp } from "../../services/pinned-http.ts";
import { sourceUnavailable } from "../../unavailable.ts";
import { connectionFailure, protocolViolation } from "../connection/errors.ts";
import { storeUrl, type Service } from "../connection/hosts.ts";
import type { Chunk } from "../connection/statement.ts";

const AHEAD_MAX = 3;
const AHEAD_BYTES_MAX = 32 * 1024 * 1024;
/**
 * The bound on a chunk as it is sent: Snowflake's chunks have 16 MB unpacked where the session asks for it, 160 MB at
 * most.
 */
const CHUNK_BYTES_MAX = 256 * 1024 * 1024;
const UNPACKED_BYTES_MAX = 4 * 1024 * 1024 * 1024;
const SILENT_MS = 30_000;
const TRIES_MAX = 4;
const PAUSE_MS = 200;

/** A chunk's bytes as the store has them. */
export type FetchedChunk = Chunk & { bytes: Buffer };

/**
 * Gives the chunks in order. Rejects with `connection_failed`, or the signal's reason. When whoever takes them has
 * enough, downloads end and their sockets are closed.
 */
export async function* fetchChunks(
  service: Service,
  chunks: readonly Chunk[],
  headers: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<FetchedChunk> {
  const http = new PinnedHttp("Snowflake", { socketsMax: AHEAD_MAX });
  const done = new AbortController();
  const until = AbortSignal.any([signal, done.signal]);
  const repeats = new Repeats();
  const ahead: { chunk: Chunk; bytes: Promise<Buffer> }[] = [];
  let next = 0;
  let bytesAhead = 0;
  try {
    for (;;) {
      while (next < chunks.length && ahead.length < AHEAD_MAX && (ahead.length === 0 || bytesAhead < AHEAD_BYTES_MAX)) {
        const chunk = chunks[next++]!;
        const bytes = fetchChunk({ http, service }, chunk, headers, until);
        // It is heard when its turn comes.
        bytes.catch(() => {});
        ahead.push({ chunk, bytes });
        bytesAhead += sizeOf(chunk);
      }
      const first = ahead.shift();
      if (!first) return;
      const bytes = await first.bytes;
      bytesAhead -= sizeOf(first.chunk);
      repeats.check(first.chunk, bytes);
      yield { ...first.chunk, bytes };
    }
  } finally {
    done.abort();
    http.close(done.signal.reason);
  }
}

/** A chunk that does not say its size counts as one of the common ones. */
const sizeOf = ({ compressedSize }: Chunk): number => compressedSize ?? AHEAD_BYTES_MAX / AHEAD_MAX;

/** Rows can't be taken back: nothing of a chunk is read before all of it is here. */
async function fetchChunk(
  { http, service }: { http: PinnedHttp; service: Service },
  chunk: Chunk,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Buffer> {
  const url = storeUrl(service, chunk.url);
  for (let tries = 1; ; tries++) {
    const isLast = tries === TRIES_MAX;
    try {
      const { status, body } = await http.request({
        method: "GET",
        url,
        headers,
        silentMs: SILENT_MS,
        bytesMax: CHUNK_BYTES_MAX,
        signal,
      });
      // A chunk of another size than its description says may have been changed on the way, and come whole the next
      // time.
      if (status === 200 && (tries > 1 || !isOther(chunk.compressedSize, body.length))) return body;
      if (isLast || !(status === 200 || isPassing(status))) throw storeFailure(status);
    } catch (error) {
      signal.throwIfAborted();
      if (isLast || error instanceof Failure) throw connectionFailure(error);
    }
    await sleep(PAUSE_MS * 2 ** tries, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500;

function storeFailure(status: number): Failure {
  const text = `A part of the result can't be had of its store (HTTP ${status})`;
  if (isPassing(status)) return sourceUnavailable("service_failure", text);
  const why =
    status >= 300 && status < 400
      ? "it redirects to another address, which was not followed"
      : status === 403
        ? "it may be kept no longer; run the statement again"
        : "try again later";
  return new Failure("connection_failed", `${text}: ${why}.`, { reason: "other" });
}

/** The bytes unpacked, as they are asked for. Throws a Failure where they can't be, or are not the chunk's. */
export async function* unpack({ bytes, compressedSize, uncompressedSize }: FetchedChunk): AsyncGenerator<Buffer> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  let size = 0;
  for await (const piece of isPacked ? gunzip(bytes) : [bytes]) {
    size += piece.length;
    if (size > UNPACKED_BYTES_MAX) protocolViolation("a part of a result is larger than any can be");
    yield piece;
  }
  // Either size alone may be counted in another way; where neither holds, these are other bytes.
  if (isOther(compressedSize, bytes.length) && isOther(uncompressedSize, size))
    protocolViolation("a part of a result has another size than it is said to have");
}

const isOther = (said: number | undefined, found: number): boolean => said !== undefined && said !== found;

async function* gunzip(bytes: Buffer): AsyncGenerator<Buffer> {
  const stream = createGunzip({ chunkSize: 256 * 1024 });
  stream.end(bytes);
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch {
    protocolViolation("a part of a result can't be unpacked");
  } finally {
    stream.destroy();
  }
}

/** Rows that repeat may well make chunks that repeat; but then all that is said of them repeats too. */
class Repeats {
  readonly #sizes = new Map<string, string>();

  check({ rowCount, compressedSize, uncompressedSize }: Chunk, bytes: Buffer): void {
    if (bytes.length === 0) return;
    const digest = hash("sha1", bytes, "base64");
    const said = `${rowCount} ${compressedSize} ${uncompressedSize}`;
    if ((this.#sizes.get(digest) ?? said) !== said) protocolViolation("a part of a result came in place of another");
    this.#sizes.set(digest, said);
  }
}
