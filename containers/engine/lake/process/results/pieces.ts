// Bytes of a result on their way to frames.

import { FRAME_BYTES_MAX } from "../messages.ts";
import type { ResultTaker } from "./described-statement.ts";

/** Gathers runs into pieces worth sending. Copies before it waits, since a run's memory is DuckDB's. */
export class Pieces {
  readonly #take: ResultTaker;
  #buffer = Buffer.allocUnsafeSlow(FRAME_BYTES_MAX);
  #length = 0;

  constructor(take: ResultTaker) {
    this.#take = take;
  }

  /** A promise only where something had to be sent. */
  add(run: Uint8Array): Promise<void> | undefined {
    if (this.#length + run.length < FRAME_BYTES_MAX) {
      this.#buffer.set(run, this.#length);
      this.#length += run.length;
      return undefined;
    }
    return this.#addCut(run);
  }

  async #addCut(run: Uint8Array): Promise<void> {
    for (let from = 0; from < run.length; ) {
      const size = Math.min(run.length - from, FRAME_BYTES_MAX - this.#length);
      this.#buffer.set(run.subarray(from, from + size), this.#length);
      this.#length += size;
      from += size;
      if (this.#length === FRAME_BYTES_MAX) await this.#send(false);
    }
  }

  /** What is gathered ends with a row. */
  async endRows(): Promise<void> {
    if (this.#length > FRAME_BYTES_MAX / 2) await this.#send(true);
  }

  async flush(): Promise<void> {
    await this.#send(true);
  }

  async #send(whole: boolean): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#buffer = Buffer.allocUnsafeSlow(FRAME_BYTES_MAX);
    this.#length = 0;
    await this.#take.data(bytes, whole);
  }
}

/** Sends bytes that end with a row, as frames. */
export async function sendCut(bytes: Uint8Array, take: ResultTaker): Promise<void> {
  for (let from = 0; from < bytes.length; from += FRAME_BYTES_MAX)
    await take.data(bytes.subarray(from, from + FRAME_BYTES_MAX), from + FRAME_BYTES_MAX >= bytes.length);
}
