// A result whose reader takes it slower than it is made, while others wait for its process: what the reader has not
// taken yet is put on disk, so that the process comes free.

import { mkdirSync, rmSync } from "node:fs";
import { open, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { isDiskFull } from "../../core/failure.ts";
import { untilAborted } from "../../core/until-aborted.ts";
import type { ResultFrame, Taken } from "../process/messages.ts";
import type { FrameTaker } from "./cache/cached-statement.ts";

type DataFrame = Exclude<ResultFrame, { kind: "columns" }>;

/** The disk space of all spools of an engine. */
export class SpoolSpace {
  readonly #directory: string;
  #bytesLeft: number;
  #files = 0;

  /** `directory` is its own; what an earlier boot left there goes. */
  constructor(directory: string, bytesMax: number) {
    this.#directory = directory;
    this.#bytesLeft = bytesMax;
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
  }

  /** Reserves disk space. False: there is not enough now. */
  take(bytes: number): boolean {
    if (bytes > this.#bytesLeft) return false;
    this.#bytesLeft -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytesLeft += bytes;
  }

  /** A file without a name, which ends with its handle. */
  async openFile(): Promise<FileHandle> {
    const path = join(this.#directory, `${++this.#files}`);
    const file = await open(path, "wx+", 0o600);
    await rm(path);
    return file;
  }
}

/** Hands frames on in their order. Until {@link letGo} the taker's reader holds back whoever makes them. */
export class Spool implements FrameTaker {
  readonly #taker: FrameTaker;
  readonly #space: SpoolSpace;
  readonly #letGo = Promise.withResolvers<"inUse">();
  #isLetGo = false;
  #isClosed = false;
  #file: Promise<FileHandle> | undefined;
  /** Bytes of the file. Bytes that the reader has taken stay in the file until the reader has taken all. */
  #bytes = 0;
  /** Frames that the reader has not taken, and one that is being written. */
  #pending = 0;
  /** Settles when the reader has taken what was written; rejected once it would take no more. */
  #taken: Promise<void> = Promise.resolve();
  #failed: { error: unknown } | undefined;

  constructor(taker: FrameTaker, space: SpoolSpace) {
    this.#taker = taker;
    this.#space = space;
  }

  get hasStarted(): boolean {
    return this.#taker.hasStarted;
  }

  /** From now on the reader holds nobody back, as long as there is space. */
  letGo(): void {
    this.#isLetGo = true;
    this.#letGo.resolve("inUse");
  }

  /** Takes a frame. The next call comes once this one has settled. */
  take(frame: ResultFrame): void | Promise<Taken> {
    if (this.#failed) throw this.#failed.error;
    if (this.#isLetGo && this.#pending > 0) return this.#put(frame);
    const taken = this.#taker.take(frame);
    if (!taken) return;
    this.#pending++;
    this.#queue(() => taken);
    return Promise.race([this.#taken, this.#letGo.promise]);
  }

  /** Settles when the reader has taken everything; rejects with its failure, or the signal's reason. */
  async end(signal: AbortSignal): Promise<void> {
    if (this.#pending > 0) await untilAborted(this.#taken, signal);
  }

  /** Passes on no more frames, and frees the disk space. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#empty();
    // A spool whose file could not be opened has nothing to close.
    await this.#file?.then((file) => file.close()).catch(() => undefined);
  }

  /** Where there is no space, the reader holds whoever makes frames back as before. */
  async #put(frame: ResultFrame): Promise<Taken> {
    if (frame.kind !== "columns" && (await this.#write(frame))) return undefined;
    await this.#taken;
    if (!this.#isClosed) return this.#taker.take(frame);
  }

  async #write({ kind, bytes }: DataFrame): Promise<boolean> {
    const { length } = bytes;
    if (!this.#space.take(length)) return false;
    const at = this.#bytes;
    this.#bytes += length;
    // The count rises before the write, so that the file does not begin anew meanwhile.
    this.#pending++;
    try {
      const file = await (this.#file ??= this.#space.openFile());
      for (let done = 0; done < length; )
        done += (await file.write(bytes, done, length - done, at + done)).bytesWritten;
    } catch (error) {
      this.#hasTaken();
      if (isDiskFull(error)) return false;
      throw error;
    }
    this.#queue(() => this.#handOn(kind, at, length));
    return true;
  }

  async #handOn(kind: DataFrame["kind"], at: number, length: number): Promise<void> {
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let done = 0; done < length && !this.#isClosed; ) {
      const { bytesRead } = await (await this.#file!).read(bytes, done, length - done, at + done);
      if (bytesRead === 0) throw new Error("A spooled result has lost its end.");
      done += bytesRead;
    }
    if (!this.#isClosed) await this.#taker.take({ kind, bytes });
  }

  #queue(take: () => Promise<unknown>): void {
    this.#taken = this.#taken.then(take).then(() => this.#hasTaken());
    this.#taken.catch((error: unknown) => (this.#failed ??= { error }));
  }

  #hasTaken(): void {
    if (--this.#pending === 0) this.#empty();
  }

  /** Empties the file. Its space is freed once it takes none of the disk. */
  #empty(): void {
    if (this.#bytes === 0) return;
    const bytes = this.#bytes;
    this.#bytes = 0;
    const emptied = this.#file!.then((file) => file.truncate().then(() => file));
    this.#file = emptied.finally(() => this.#space.give(bytes));
    // The rejection reaches whoever writes; until then there may be nobody.
    this.#file.catch(() => undefined);
  }
}
