// A statement's result on the local disk, until it is stored: nobody has seen any of it before it is whole.

import { open, rm, type FileHandle } from "node:fs/promises";
import { Failure } from "./core/failure.ts";
import type { AnswerSink } from "./core/sink.ts";

export class ResultFile implements AnswerSink {
  readonly isHeld = true;
  readonly started = false;
  readonly path: string;
  bytes = 0;

  readonly #bytesMax: number;
  readonly #handle: FileHandle;
  /** The writes so far, one after the other; rejected once one has failed. */
  #written: Promise<void> = Promise.resolve();

  private constructor(path: string, bytesMax: number, handle: FileHandle) {
    this.path = path;
    this.#bytesMax = bytesMax;
    this.#handle = handle;
  }

  static async create(path: string, bytesMax: number): Promise<ResultFile> {
    return new ResultFile(path, bytesMax, await open(path, "wx", 0o600));
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

  async remove(): Promise<void> {
    await this.#written.catch(() => undefined);
    await this.#handle.close();
    await rm(this.path, { force: true });
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.bytes += bytes.length;
    if (this.bytes > this.#bytesMax)
      throw new Failure(
        "resources_exceeded",
        `The result has more than the ${this.#bytesMax} bytes that are stored of one. Ask for less of it at a time, ` +
          "or for an answer without `respond-async`, which streams.",
      );
    await this.#handle.writeFile(bytes);
  }
}
