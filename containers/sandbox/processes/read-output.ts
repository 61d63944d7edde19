// The output of a worker process's code is read as it comes, and slowly past a bound.

import type { Readable } from "node:stream";

/** Bytes of output after which a process is read at 64 KB every so often. */
const FREE_BYTES = 8 * 1024 * 1024;
const SLOW_MS = 10;

export type Output = (stream: "stdout" | "stderr", chunk: Buffer) => void;

/** Reads as it comes; a process that writes without end may do so, slowly. */
export function readOutput(stream: Readable, take: (chunk: Buffer) => void): void {
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    take(chunk);
    if (bytes < FREE_BYTES) return;
    stream.pause();
    setTimeout(() => stream.resume(), SLOW_MS);
  });
  stream.resume();
}
