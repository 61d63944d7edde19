// Brings in the rest of files that statements keep reading, while no statement fetches: then they are opened without
// asking what of them is needed, always alike.

import type { ColumnChunk } from "../../parquet/column-chunks.ts";
import type { CachedFile } from "./cached-file.ts";
import type { ObjectReader } from "./object-reader.ts";
import type { Sign } from "./pinned-files.ts";

/** A file is completed once this many statements have needed a part that was missing. */
const READS_MIN = 3;
/** The completer waits until no statement has fetched for this long: a burst of statements comes first. */
const QUIET_MS = 200;
/** Bytes in transfer at once, which are lost where a statement needs the connection; a larger chunk comes alone. */
const RANGE_BYTES_MAX = 4 * 1024 * 1024;
/** Time for fetching a range, and for signing URLs. */
const STEP_MS_MAX = 30_000;
/** Files that wait to be completed. */
const QUEUE_MAX = 1_000;

/** The file `fileId` of a lake, and how whoever read it last has its URL signed. */
export type PartialFile = { file: CachedFile; fileId: number; sign: Sign };

/** `makeSpace`: whether so many bytes may come beside what statements use; of a file that has left, none may. */
export type CompleterParts = {
  readerOf: (url: string, signal: AbortSignal) => ObjectReader;
  makeSpace: (file: CachedFile, bytes: number) => boolean;
};

export class FileCompleter {
  readonly #parts: CompleterParts;
  readonly #queue = new Map<CachedFile, PartialFile>();
  /** Statements that fetch. */
  #fetching = 0;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #stopping = new AbortController();
  #isClosed = false;

  constructor(parts: CompleterParts) {
    this.#parts = parts;
  }

  /** Notes files that a statement has read and that are incomplete. */
  noteReads(files: readonly PartialFile[]): void {
    for (const each of files) {
      const { file } = each;
      if (++file.partialReads < READS_MIN || (this.#queue.size >= QUEUE_MAX && !this.#queue.has(file))) continue;
      this.#queue.set(file, each);
    }
    this.#schedule();
  }

  /** Does a statement's `fetch` while the completer pauses. */
  async giveWay<T>(fetch: () => Promise<T>): Promise<T> {
    this.#fetching++;
    try {
      await this.#stop();
      return await fetch();
    } finally {
      this.#fetching--;
      this.#schedule();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.clear();
    await this.#stop();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stopping.abort();
    await this.#working;
  }

  #schedule(): void {
    if (this.#isClosed || this.#fetching > 0 || this.#working || this.#timer || this.#queue.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#working = this.#work().finally(() => {
        this.#working = undefined;
        this.#schedule();
      });
    }, QUIET_MS).unref();
  }

  /** Completes the queue's files until a statement fetches. Never rejects. */
  async #work(): Promise<void> {
    const { signal } = (this.#stopping = new AbortController());
    for (const [file, partial] of this.#queue) {
      await this.#complete(partial, signal).catch(() => undefined);
      if (signal.aborted) return;
      // A file that could not be completed is tried again after as many reads as before.
      file.partialReads = 0;
      this.#queue.delete(file);
    }
  }

  async #complete({ file, fileId, sign }: PartialFile, signal: AbortSignal): Promise<void> {
    if (!this.#parts.makeSpace(file, file.missingBytes)) return;
    const within = (): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(STEP_MS_MAX)]);
    const url = (await sign([fileId], within()))[fileId];
    if (!url) return;
    for (;;) {
      signal.throwIfAborted();
      const { chunks, bytes } = file.nextMissing(RANGE_BYTES_MAX);
      // Statements may have taken the space meanwhile.
      if (bytes === 0 || !this.#parts.makeSpace(file, file.missingBytes)) return;
      const isWanted = (chunk: ColumnChunk): boolean => chunks.has(chunk);
      await file.fetchChunks(() => this.#parts.readerOf(url, within()), isWanted);
      file.completedBytes += bytes;
    }
  }
}
