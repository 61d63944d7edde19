// Puts a range's bytes where they belong in a local file.

import type { FileHandle } from "node:fs/promises";
import type { ColumnChunk } from "../../parquet/column-chunks.ts";

/** Bytes of a chunk that are written last, once the rest has come. */
const HEAD_BYTES = 32;

/** Takes an answer's bytes, piece by piece and in order; `end` once all have come. */
export type RangeWriter = { take(piece: Buffer): Promise<void>; end(): Promise<void> };

/** Writes all bytes, from `start` on. */
export function plainWriter(handle: FileHandle, start: number): RangeWriter {
  let at = start;
  return {
    async take(piece) {
      await writeAll(handle, piece, at);
      at += piece.length;
    },
    end: () => Promise.resolve(),
  };
}

/** Writes only what belongs to `chunks`, and their first bytes last. */
export function chunkWriter(handle: FileHandle, start: number, chunks: readonly ColumnChunk[]): RangeWriter {
  const heads = chunks.map((chunk) => Buffer.alloc(Math.min(HEAD_BYTES, chunk.end - chunk.start)));
  let at = start;
  let next = 0;
  return {
    async take(piece) {
      const end = at + piece.length;
      for (let i = next; i < chunks.length && chunks[i]!.start < end; i++) {
        const { start: first, end: last } = chunks[i]!;
        const body = first + heads[i]!.length;
        const slice = (from: number, to: number): Buffer =>
          piece.subarray(Math.max(from, at) - at, Math.max(0, Math.min(to, end) - at));
        if (at < body) slice(first, body).copy(heads[i]!, Math.max(at - first, 0));
        if (end > body && last > at) await writeAll(handle, slice(body, last), Math.max(body, at));
        if (last <= end) next = i + 1;
      }
      at = end;
    },
    async end() {
      for (const [i, head] of heads.entries()) await writeAll(handle, head, chunks[i]!.start);
    },
  };
}

/** A write may take less than it was given. */
async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}
