// Bytes of a protocol, spoilt by a seed: what a hostile server may send, thousands of times the same.

/** Numbers from 0 to 1, the same for the same seed. */
export type Random = () => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How a protocol's stream is cut into messages, and put together again with lengths that are true. */
export type Framing = { split(bytes: Buffer): Message[]; join(messages: Message[]): Buffer };
/** `head` is what a message has beside its length: a type, or a number in order. */
export type Message = { head: number; body: Buffer };

/** Lengths and counts that have broken parsers before. */
const ODD_NUMBERS = [
  0, -1, -2, 1, 3, 0x7f, 0xff, 0x7fff, 0xffff, 250_000, 0xff_ffff, 0x7fff_fff0, 0x7fff_ffff, -0x8000_0000,
];

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const place = (random: Random, length: number): number => Math.floor(random() * Math.max(1, length));

/**
 * `bytes` with one to three faults: mostly within a message whose frame stays true, else among the messages, else
 * anywhere.
 */
export function mutate(bytes: Buffer, framing: Framing, random: Random): Buffer {
  const messages = framing.split(bytes);
  let spoilt = bytes;
  for (let faults = 1 + place(random, 3); faults > 0; faults--) {
    const kind = random();
    if (kind < 0.65 && messages.length > 0) {
      const message = pick(random, messages);
      message.body = spoilBytes(message.body, random);
      spoilt = framing.join(messages);
    } else if (kind < 0.85 && messages.length > 0) {
      spoilOrder(messages, random);
      spoilt = framing.join(messages);
    } else spoilt = spoilBytes(spoilt, random);
  }
  return spoilt;
}

function spoilBytes(bytes: Buffer, random: Random): Buffer {
  const at = place(random, bytes.length);
  const copy = Buffer.from(bytes);
  switch (place(random, 7)) {
    case 0:
      if (copy.length > 0) copy[at] = place(random, 256);
      return copy;
    case 1:
      if (copy.length > 0) copy[at]! ^= 1 << place(random, 8);
      return copy;
    case 2:
      if (at + 4 <= copy.length) copy.writeInt32BE(pick(random, ODD_NUMBERS), at);
      return copy;
    case 3:
      if (at + 4 <= copy.length) copy.writeInt32LE(pick(random, ODD_NUMBERS), at);
      return copy;
    case 4:
      return copy.subarray(0, at);
    case 5:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(Math.min(copy.length, at + 1 + place(random, 8)))]);
    default:
      return Buffer.concat([
        copy.subarray(0, at),
        Buffer.from(Array.from({ length: 1 + place(random, 8) }, () => place(random, 256))),
        copy.subarray(at),
      ]);
  }
}

function spoilOrder(messages: Message[], random: Random): void {
  const i = place(random, messages.length);
  const j = place(random, messages.length);
  switch (place(random, 4)) {
    case 0:
      return void messages.splice(i, 1);
    case 1:
      return void messages.splice(j, 0, { ...messages[i]! });
    case 2:
      [messages[i], messages[j]] = [messages[j]!, messages[i]!];
      return;
    default:
      messages[i]!.head = random() < 0.5 ? messages[j]!.head : place(random, 256);
  }
}
