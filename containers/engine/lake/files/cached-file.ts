// One lake file on the local disk: whole, or of its real size with holes where column chunks have not been fetched.
//
// A hole reads as zeros, which no page or bloom filter starts with: whoever meets one gets DuckDB's error, never a row.
// A chunk that is under way keeps its first bytes back until all the others are in place, so a half-written one is a
// hole too.

import { mkdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { layoutOf, rangesOf, type ColumnChunk, type Range } from "../../parquet/column-chunks.ts";
import { Failure } from "../../core/failure.ts";
import type { ObjectReader } from "./object-reader.ts";
import { chunkWriter, plainWriter } from "./range-writers.ts";

/** The length of Parquet's trailer: the footer's length and the magic word. */
const TRAILER_BYTES = 8;
/**
 * The share of a file that is fetched to find the footer: the footer grows with the file, by about a thousandth for a
 * dozen columns.
 */
const TAIL_SHARE = 1 / 256;
const TAIL_BYTES_MIN = 16 * 1024;
const TAIL_BYTES_MAX = 256 * 1024;

export class CachedFile {
  /** The file's path, relative to the cache's directory. It is never used again once the file is gone. */
  readonly path: string;
  readonly size: number;
  /** Statements and downloads that need the file to stay. */
  pins = 0;
  /** Bytes of the object that are here or under way. */
  bytes = 0;
  /** When a statement last used the file. */
  usedAt = 0;
  /** Statements that found the file incomplete since the last attempt to complete it. */
  partialReads = 0;
  /** Bytes that came without a statement's request. */
  completedBytes = 0;
  /** Settles when the file is whole, or its footer is here. */
  ready: Promise<void> = Promise.resolve();
  readonly #absolutePath: string;
  readonly #grow: (bytes: number) => void;
  #isForgotten = false;
  #isWhole = false;
  #footerStart = 0;
  #etag: string | undefined;
  /** Undefined while the chunks are not known. */
  #layout: ColumnChunk[] | undefined;
  readonly #here = new Set<number>();
  readonly #coming = new Map<number, Promise<void>>();

  /** `grow` is called with the bytes added, negative where given back. */
  constructor(directory: string, path: string, size: number, grow: (bytes: number) => void) {
    this.path = path;
    this.#absolutePath = join(directory, path);
    this.size = size;
    this.#grow = grow;
  }

  /** Whether every byte that can be needed is here. */
  get isComplete(): boolean {
    return this.#isWhole || (this.#layout !== undefined && this.#here.size === this.#layout.length);
  }

  get needsLayout(): boolean {
    return !this.#isWhole && this.#layout === undefined;
  }

  /** Bytes of the file's chunks that are missing, as far as the chunks are known. */
  get missingBytes(): number {
    return this.isComplete ? 0 : this.#missing().reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** The next chunks, in the file's order, that are neither here nor under way: at least one where there is one. */
  nextMissing(bytesMax: number): { chunks: ReadonlySet<ColumnChunk>; bytes: number } {
    const chunks = new Set<ColumnChunk>();
    let bytes = 0;
    for (const chunk of this.#missing()) {
      const size = chunk.end - chunk.start;
      if (bytes > 0 && bytes + size > bytesMax) break;
      chunks.add(chunk);
      bytes += size;
    }
    return { chunks, bytes };
  }

  #missing(): ColumnChunk[] {
    return (this.#layout ?? []).filter((_, at) => !this.#here.has(at) && !this.#coming.has(at));
  }

  /** Brings in the whole file by one request. */
  async fetchWhole(object: ObjectReader): Promise<void> {
    await this.#counted(this.size, async () => {
      this.#makeFolder();
      await object.read(
        { start: 0, end: this.size, size: this.size },
        undefined,
        (handle) => plainWriter(handle, 0),
        this.#absolutePath,
      );
      this.#isWhole = true;
    });
  }

  /** Brings in the footer, at its offset: with its end the file is as large as the object. */
  async fetchFooter(object: ObjectReader): Promise<void> {
    this.#makeFolder();
    const guess = Math.min(
      this.size,
      Math.max(TAIL_BYTES_MIN, Math.min(TAIL_BYTES_MAX, Math.ceil(this.size * TAIL_SHARE))),
    );
    await this.#fetchTail(object, guess);
    const trailer = await this.#readTrailer();
    const length = trailer.readUInt32LE(0) + TRAILER_BYTES;
    if (trailer.toString("latin1", 4) !== "PAR1" || length > this.size)
      throw new Failure("platform_unavailable", "The lake's storage has another file than its catalog says.");
    if (length > guess) await this.#fetchTail(object, length);
    this.#footerStart = this.size - length;
    // The bytes that came before the footer with it may be the end of a chunk: a part alone must not look like it is
    // there.
    if (length < guess) await this.#blank(this.size - guess, this.#footerStart);
  }

  setLayout(chunks: readonly ColumnChunk[]): void {
    this.#layout ??= layoutOf(chunks, this.#footerStart);
  }

  /** Settles when all chunks that `wants` says are here. Needs the layout, unless the file is whole. */
  async fetchChunks(object: () => ObjectReader, wants: (chunk: ColumnChunk) => boolean): Promise<void> {
    if (this.isComplete) return;
    const layout = this.#layout;
    if (!layout) throw new Error(`the chunks of ${this.path} are not known`);
    const wanted = [...layout.keys()].filter((at) => wants(layout[at]!) && !this.#here.has(at));
    const isMissing = (at: number): boolean => !this.#here.has(at) && !this.#coming.has(at);
    for (const range of rangesOf(layout, wanted.filter(isMissing), isMissing)) this.#begin(range, object());
    // All come to their end, so that nothing of a failed attempt is under way when the next begins.
    const ends = await Promise.allSettled(wanted.map((at) => this.#coming.get(at)));
    const failed = ends.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
  }

  /** Whether a chunk that `wants` says is not here yet. */
  lacks(wants: (chunk: ColumnChunk) => boolean): boolean {
    return !this.#isWhole && (this.#layout ?? []).some((chunk, at) => !this.#here.has(at) && wants(chunk));
  }

  unpin(): void {
    if (--this.pins === 0 && this.#isForgotten) this.#remove();
  }

  /** Removes the file, once its last pin is gone. */
  forget(): void {
    this.#isForgotten = true;
    if (this.pins === 0) this.#remove();
  }

  #remove(): void {
    rmSync(this.#absolutePath, { force: true });
  }

  #begin(range: Range, object: ObjectReader): void {
    const arrival = this.#counted(range.end - range.start, () => this.#fetchRange(range, object)).finally(() =>
      range.chunks.forEach((at) => this.#coming.delete(at)),
    );
    // The rejection reaches those who wait; there may be none.
    arrival.catch(() => undefined);
    for (const at of range.chunks) this.#coming.set(at, arrival);
  }

  async #fetchRange({ start, end, chunks }: Range, object: ObjectReader): Promise<void> {
    const own = chunks.map((at) => this.#layout![at]!);
    await object.read(
      { start, end, size: this.size },
      this.#etag,
      (handle) => chunkWriter(handle, start, own),
      this.#absolutePath,
    );
    for (const at of chunks) this.#here.add(at);
  }

  async #fetchTail(object: ObjectReader, length: number): Promise<void> {
    const start = this.size - length;
    await this.#counted(length, async () => {
      this.#etag = await object.read(
        { start, end: this.size, size: this.size },
        this.#etag,
        (handle) => plainWriter(handle, start),
        this.#absolutePath,
      );
    });
  }

  #makeFolder(): void {
    mkdirSync(dirname(this.#absolutePath), { recursive: true });
  }

  async #readTrailer(): Promise<Buffer> {
    const handle = await open(this.#absolutePath, "r");
    try {
      const { buffer } = await handle.read(Buffer.alloc(TRAILER_BYTES), 0, TRAILER_BYTES, this.size - TRAILER_BYTES);
      return buffer;
    } finally {
      await handle.close();
    }
  }

  async #blank(start: number, end: number): Promise<void> {
    const handle = await open(this.#absolutePath, "r+");
    await handle.write(Buffer.alloc(end - start), 0, end - start, start).finally(() => handle.close());
  }

  /** Bytes count from the moment of their request, since the disk must have space for them. */
  async #counted(bytes: number, work: () => Promise<void>): Promise<void> {
    this.pins++;
    this.bytes += bytes;
    this.#grow(bytes);
    try {
      await work();
    } catch (error) {
      this.bytes -= bytes;
      this.#grow(-bytes);
      throw error;
    } finally {
      this.unpin();
    }
  }
}
