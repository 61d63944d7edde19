// An answer that is sent while it is made, in packets.

import { packet } from "./packets.ts";

const HEAD_BYTES = 8;
/** Written at once. */
const BATCH_BYTES = 128 * 1024;

export class MessageWriter {
  readonly #bodyBytes: number;
  readonly #write: (bytes: Buffer) => Promise<void>;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #number = 0;

  constructor(packetBytes: number, write: (bytes: Buffer) => Promise<void>) {
    this.#bodyBytes = packetBytes - HEAD_BYTES;
    this.#write = write;
  }

  /** A promise where it is to be waited for. */
  add(bytes: Buffer): Promise<void> | undefined {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    return this.#heldBytes >= BATCH_BYTES ? this.flush() : undefined;
  }

  /** Sends what is held, whole packets of it and the rest too: the message goes on. */
  async flush(): Promise<void> {
    if (this.#heldBytes > 0) await this.#send(false);
  }

  async end(): Promise<void> {
    await this.#send(true);
    this.#number = 0;
  }

  async #send(isLast: boolean): Promise<void> {
    const body = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    const cut: Buffer[] = [];
    for (let at = 0; at < body.length || (isLast && at === 0); at += this.#bodyBytes) {
      const isEnd = isLast && at + this.#bodyBytes >= body.length;
      cut.push(packet(body.subarray(at, at + this.#bodyBytes), { isLast: isEnd, number: ++this.#number }));
    }
    await this.#write(Buffer.concat(cut));
  }
}
