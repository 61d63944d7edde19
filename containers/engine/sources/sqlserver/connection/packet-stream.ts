// Received bytes, cut into TDS's packets: what stands behind their heads is put together again.

import { RowTooLarge } from "../../../core/row-too-large.ts";
import { protocolViolation } from "./tokens.ts";

const MIB = 1024 * 1024;
const BUFFER_BYTES = 256 * 1024;
/** The bound on a message's largest token in memory; only a row comes near it. */
export const TOKEN_BYTES_MAX = 256 * MIB;

/** Type, status, length in two bytes, session in two, number, window. */
export const HEAD_BYTES = 8;
const TABULAR_RESULT = 4;
const END_OF_MESSAGE = 1;

export class PacketStream {
  /** The bytes received and not yet used are `memory[from .. to)`. */
  memory: Buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  from = 0;
  to = 0;
  /** Whether a message ends where `to` is. */
  isAtEnd = false;

  readonly #chunks: Buffer[] = [];
  #at = 0;
  readonly #head = Buffer.alloc(HEAD_BYTES);
  #headBytes = 0;
  #left = 0;
  #isLast = false;

  add(chunk: Buffer): void {
    if (chunk.length > 0) this.#chunks.push(chunk);
  }

  /** Moves on by the rest of a packet, or as much of it as there is. False where nothing is left of what was added. */
  advance(): boolean {
    const chunk = this.#chunks[0];
    if (!chunk) return false;
    if (this.#left === 0) this.#readHead(chunk);
    const bytes = Math.min(this.#left, chunk.length - this.#at);
    if (bytes > 0) {
      this.#append(chunk, this.#at, bytes);
      this.#at += bytes;
      this.#left -= bytes;
    }
    this.isAtEnd = this.#isLast && this.#left === 0 && this.#headBytes === HEAD_BYTES;
    if (this.#left === 0 && this.#headBytes === HEAD_BYTES) this.#headBytes = 0;
    if (this.#at === chunk.length) {
      this.#chunks.shift();
      this.#at = 0;
    }
    return true;
  }

  #readHead(chunk: Buffer): void {
    const bytes = Math.min(HEAD_BYTES - this.#headBytes, chunk.length - this.#at);
    chunk.copy(this.#head, this.#headBytes, this.#at, this.#at + bytes);
    this.#headBytes += bytes;
    this.#at += bytes;
    this.isAtEnd = false;
    if (this.#headBytes < HEAD_BYTES) return;
    if (this.#head[0] !== TABULAR_RESULT) protocolViolation("a packet is of another type than an answer's");
    const length = this.#head.readUInt16BE(2);
    if (length < HEAD_BYTES) protocolViolation("a packet is shorter than its head");
    this.#left = length - HEAD_BYTES;
    this.#isLast = (this.#head[1]! & END_OF_MESSAGE) !== 0;
  }

  #append(chunk: Buffer, at: number, bytes: number): void {
    const held = this.to - this.from;
    if (held === 0) this.from = this.to = 0;
    if (this.to + bytes > this.memory.length) this.#makeRoom(held, held + bytes);
    chunk.copy(this.memory, this.to, at, at + bytes);
    this.to += bytes;
  }

  #makeRoom(held: number, wanted: number): void {
    if (wanted > TOKEN_BYTES_MAX) throw new RowTooLarge(TOKEN_BYTES_MAX);
    const isAmple = wanted <= this.memory.length / 2 || wanted <= BUFFER_BYTES;
    // Large memory goes back once the row is gone that needed it.
    const size =
      wanted <= BUFFER_BYTES ? BUFFER_BYTES : isAmple ? this.memory.length : Math.min(wanted * 2, TOKEN_BYTES_MAX);
    const target = size === this.memory.length ? this.memory : Buffer.allocUnsafeSlow(size);
    this.memory.copy(target, 0, this.from, this.to);
    this.memory = target;
    this.from = 0;
    this.to = held;
  }
}
