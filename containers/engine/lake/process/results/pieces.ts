// Bytes of a result on their way to frames.

import { FRAME_BYTES_MAX } from "../frames.ts";
import type { ResultTaker } from "./described-statement.ts";

/** Sends bytes that end with a row, as frames. */
export async function sendCut(bytes: Uint8Array, take: ResultTaker): Promise<void> {
  for (let from = 0; from < bytes.length; from += FRAME_BYTES_MAX)
    await take.data(bytes.subarray(from, from + FRAME_BYTES_MAX), from + FRAME_BYTES_MAX >= bytes.length);
}

/** Sends bytes as frames while more are made, in two buffers by turns. */
export class PieceSender {
  readonly #take: ResultTaker;
  readonly #refuse: () => void;
  /** Settles once the bytes made last have been sent, or refused. */
  #sent: Promise<void> = Promise.resolve();
  #refused: { error: unknown } | undefined;

  /** `refuse`: bytes were not taken, and no more are wanted. */
  constructor(take: ResultTaker, refuse: () => void = () => undefined) {
    this.#take = take;
    this.#refuse = refuse;
  }

  /**
   * Settles once the bytes before are sent, whose memory is written next; rejects as {@link check} throws. `take`
   * answers the bytes, which end with a row and stay as they are until it is called again. Answers how many they are.
   */
  async send(take: () => Uint8Array): Promise<number> {
    await this.settled();
    const bytes = take();
    this.#sent = this.#give(bytes);
    return bytes.length;
  }

  /** Throws what bytes were refused with. */
  check(): void {
    if (this.#refused) throw this.#refused.error;
  }

  /** Settles once nothing is in transfer; rejects as {@link check} throws. */
  async settled(): Promise<void> {
    await this.#sent;
    this.check();
  }

  async #give(bytes: Uint8Array): Promise<void> {
    try {
      // A result without rows is begun by an empty frame.
      if (bytes.length === 0) await this.#take.data(bytes, true);
      else await sendCut(bytes, this.#take);
    } catch (error) {
      this.#refused = { error };
      this.#refuse();
    }
  }
}
