// TDS's packets as a server cuts and reads them.

export const PACKET = { batch: 1, procedure: 3, answer: 4, attention: 6, login: 16, prelogin: 18 } as const;

export type Message = { type: number; body: Buffer };

const HEAD_BYTES = 8;
const END_OF_MESSAGE = 1;

/** Puts received bytes together again as messages. */
export class MessageReader {
  #held: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];

  *add(chunk: Buffer): Generator<Message> {
    this.#held = Buffer.concat([this.#held, chunk]);
    while (this.#held.length >= HEAD_BYTES) {
      const length = this.#held.readUInt16BE(2);
      if (this.#held.length < length) return;
      const [type, status] = [this.#held[0]!, this.#held[1]!];
      this.#parts.push(this.#held.subarray(HEAD_BYTES, length));
      this.#held = this.#held.subarray(length);
      if ((status & END_OF_MESSAGE) === 0) continue;
      yield { type, body: Buffer.concat(this.#parts) };
      this.#parts = [];
    }
  }
}

/** One packet; `length` is what its head says, where that is to be a lie. */
export function packet(
  body: Buffer,
  { type = PACKET.answer as number, isLast = true, number = 1, length = body.length + HEAD_BYTES } = {},
): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = type;
  head[1] = isLast ? END_OF_MESSAGE : 0;
  head.writeUInt16BE(length, 2);
  head.writeUInt16BE(51, 4);
  head[6] = number & 0xff;
  return Buffer.concat([head, body]);
}

/** A body in packets of at most `packetBytes`. Without `isLast` the message goes on after it. */
export function packets(
  body: Buffer,
  packetBytes: number,
  { type = PACKET.answer as number, isLast = true } = {},
): Buffer[] {
  const bodyBytes = packetBytes - HEAD_BYTES;
  const cut: Buffer[] = [];
  for (let at = 0, number = 1; at < body.length || number === 1; at += bodyBytes, number++)
    cut.push(
      packet(body.subarray(at, at + bodyBytes), { type, isLast: isLast && at + bodyBytes >= body.length, number }),
    );
  return cut;
}
