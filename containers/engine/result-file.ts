// A statement's result until it is stored, or answered. Its first bytes are kept in memory as long as they may be
// answered; whatever is more is on the local disk. Who follows the statement may read what is there while it grows.

import { mkdir, open, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "./core/failure.ts";
import type { AnswerSink } from "./core/sink.ts";

/** `bytesMax`: of the whole result; `heldBytesMax`: of one that is in memory. `onDisk` is called once it is larger. */
type ResultBounds = { bytesMax: number; heldBytesMax: number; onDisk: () => void };

/** `isEnd`: the bytes are the last of a result that is whole. */
export type ResultPart = { bytes: number; isEnd: boolean; body: Readable };

export class ResultFile implements AnswerSink {
  readonly isHeld = true;
  readonly started = false;
  readonly path: string;
  bytes = 0;

  readonly #bounds: ResultBounds;
  #handle: FileHandle | undefined;
  /** All bytes so far, where none is on the disk. */
  #held: Uint8Array[] = [];
  /** The bytes that can be read. */
  #readable = 0;
  /** Whether no more bytes come: the statement has succeeded. */
  #isWhole = false;
  #isRemoved = false;
  /** When some of it was read last, by `performance.now()`. */
  #readAt: number | undefined;
  #isReadOut = false;
  #changed = Promise.withResolvers<void>();
  /** The writes so far, one after the other; rejected once one has failed. */
  #written: Promise<void> = Promise.resolve();

  constructor(path: string, bounds: ResultBounds) {
    this.path = path;
    this.#bounds = bounds;
  }

  write(bytes: Uint8Array): Promise<void> {
    const writing = this.#written.then(() => this.#append(bytes));
    this.#written = writing;
    // A caller that awaits `ended` receives the rejection, too.
    writing.catch(() => undefined);
    return writing;
  }

  end(bytes?: Uint8Array): void {
    if (bytes) void this.write(bytes);
  }

  /** A cut result is thrown away by whoever made the file. */
  break(): void {}

  async ended(): Promise<void> {
    await this.#written;
  }

  /** The whole result, once it has ended; undefined where it is on the disk. */
  get text(): string | undefined {
    return this.#handle ? undefined : Buffer.concat(this.#held).toString();
  }

  /** Says that the statement has succeeded. */
  finish(): void {
    this.#isWhole = true;
    this.#change();
  }

  /** Settles once so many bytes can be read, no more come, or after `waitMs`. */
  async reached(bytes: number, waitMs: number): Promise<void> {
    const late = delay(waitMs, true, { ref: false });
    let isLate = false;
    while (!isLate && this.#readable < bytes && !this.#isWhole && !this.#isRemoved)
      isLate = await Promise.race([late, this.#changed.promise.then(() => false)]);
  }

  /**
   * Settles once nobody reads on: all was read, nothing for `quietMs`, or the reader takes longer than `longestMs`.
   * Where nobody has begun to read that is at once.
   */
  async left(quietMs: number, longestMs: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + longestMs;
    while (this.#readAt !== undefined && !this.#isReadOut && !signal.aborted) {
      const waitMs = Math.min(this.#readAt + quietMs, until) - performance.now();
      if (waitMs <= 0) return;
      await Promise.race([this.#changed.promise, delay(waitMs, undefined, { signal }).catch(() => undefined)]);
    }
  }

  /** Some of the bytes that are there; undefined where the result is gone. */
  async read(from: number, bytesMax: number): Promise<ResultPart | undefined> {
    const bytes = Math.max(0, Math.min(bytesMax, this.#readable - from));
    const isEnd = this.#isWhole && from + bytes >= this.#readable;
    if (this.#isRemoved) return undefined;
    this.#readAt = performance.now();
    this.#isReadOut ||= isEnd;
    this.#change();
    if (bytes === 0) return { bytes, isEnd, body: Readable.from([]) };
    if (!this.#handle)
      return { bytes, isEnd, body: Readable.from([Buffer.concat(this.#held).subarray(from, from + bytes)]) };
    // A file of its own goes on being read where the result is removed meanwhile.
    const handle = await open(this.path, "r").catch(() => undefined);
    return handle && { bytes, isEnd, body: handle.createReadStream({ start: from, end: from + bytes - 1 }) };
  }

  /** Has the whole result on the disk. */
  async settle(): Promise<void> {
    await this.#open();
  }

  async remove(): Promise<void> {
    await this.#written.catch(() => undefined);
    this.#isRemoved = true;
    this.#change();
    if (!this.#handle) return;
    await this.#handle.close();
    await rm(this.path, { force: true });
  }

  async #append(bytes: Uint8Array): Promise<void> {
    const { bytesMax, heldBytesMax } = this.#bounds;
    this.bytes += bytes.length;
    if (this.bytes > bytesMax)
      throw new Failure(
        "resources_exceeded",
        `The result has more than the ${bytesMax} bytes that are stored of one. Ask for less of it at a time, ` +
          "or for an answer without `respond-async`, which streams.",
      );
    // Whoever wrote the bytes uses their memory again.
    if (!this.#handle && this.bytes <= heldBytesMax) this.#held.push(Uint8Array.from(bytes));
    else await (await this.#open()).writeFile(bytes);
    this.#readable = this.bytes;
    this.#change();
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    this.#bounds.onDisk();
    await mkdir(dirname(this.path), { recursive: true });
    const handle = await open(this.path, "wx", 0o600);
    this.#handle = handle;
    for (const bytes of this.#held) await handle.writeFile(bytes);
    this.#held = [];
    return handle;
  }
}
