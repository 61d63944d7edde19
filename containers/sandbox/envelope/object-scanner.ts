// A JSON object read as it streams by: checked to the last byte, nothing of it rewritten, its top members handed on
// raw.

import { Failure } from "../core/failure.ts";

const DEPTH_MAX = 512;
const NAME_BYTES_MAX = 1_024;

/** Receives the bytes of one member's value, in pieces, as they stand in the document. */
export type Take = (piece: Uint8Array) => void;

const State = {
  value: 0,
  firstKey: 1,
  key: 2,
  colon: 3,
  after: 4,
  firstItem: 5,
  string: 6,
  escape: 7,
  hex: 8,
  literal: 9,
  minus: 10,
  zero: 11,
  integer: 12,
  point: 13,
  fraction: 14,
  exponent: 15,
  sign: 16,
  power: 17,
  start: 18,
  done: 19,
} as const;
const OBJECT = 123;
const ARRAY = 91;
const LITERALS: Record<number, string> = { 116: "true", 102: "false", 110: "null" };

export class ObjectScanner {
  readonly #member: (name: string) => Take;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #open = new Uint8Array(DEPTH_MAX);
  #depth = 0;
  #state: number = State.start;
  #isKey = false;
  #left = 0;
  #literal = "";
  #name: number[] = [];
  #take: Take | undefined;
  #offset = 0;

  /** `member` is called with each top member's name before its value. */
  constructor(member: (name: string) => Take) {
    this.#member = member;
  }

  push(chunk: Uint8Array): void {
    try {
      this.#decoder.decode(chunk, { stream: true });
    } catch {
      throw refusal(this.#offset, "this is not UTF-8");
    }
    // Where the part of the running value in this chunk begins; -1: no value of a top member is running.
    let from = this.#take ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#state === State.string) {
        at = this.#inString(chunk, at);
        if (at === chunk.length) break;
        if (chunk[at] === 92) this.#state = State.escape;
        else if (this.#isKey) this.#endKey();
        else this.#state = State.after;
        continue;
      }
      if (this.#state >= State.minus && this.#state <= State.power) {
        if (this.#inNumber(byte, at)) continue;
        this.#state = State.after;
      }
      if (this.#state === State.after && this.#depth === 1 && this.#take) {
        this.#take(chunk.subarray(from, at));
        this.#take = undefined;
        from = -1;
      }
      if (byte === 32 || byte === 10 || byte === 13 || byte === 9) {
        if (!this.#mayPause()) throw this.#unexpected(at);
        continue;
      }
      const isTop = this.#state === State.value && this.#depth === 1;
      this.#step(byte, at);
      if (isTop) {
        this.#take = this.#member(this.#memberName());
        from = at;
      }
    }
    if (this.#take) this.#take(chunk.subarray(from));
    this.#offset += chunk.length;
  }

  end(): void {
    try {
      this.#decoder.decode();
    } catch {
      throw refusal(this.#offset, "this is not UTF-8");
    }
    if (this.#state !== State.done)
      throw refusal(this.#offset, this.#offset === 0 ? "the body is empty" : "the document is cut off");
  }

  /** White space is part of no token. */
  #mayPause(): boolean {
    const state = this.#state;
    return state !== State.escape && state !== State.hex && state !== State.literal;
  }

  #inString(chunk: Uint8Array, at: number): number {
    const start = at;
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === 34 || byte === 92) break;
      if (byte < 32) throw refusal(this.#offset + at, "a control character stands in a string unescaped");
    }
    if (this.#isKey && this.#depth === 1) this.#keep(chunk.subarray(start, Math.min(at + 1, chunk.length)));
    return at;
  }

  #keep(bytes: Uint8Array): void {
    if (this.#name.length + bytes.length > NAME_BYTES_MAX)
      throw new Failure("envelope_refused", `A member's name is longer than ${NAME_BYTES_MAX} bytes.`);
    this.#name.push(...bytes);
  }

  #endKey(): void {
    this.#isKey = false;
    this.#state = State.colon;
  }

  #memberName(): string {
    const name = JSON.parse(Buffer.from(this.#name).toString()) as string;
    this.#name = [];
    return name;
  }

  /** Whether the byte belongs to the number that runs. */
  #inNumber(byte: number, at: number): boolean {
    const isDigit = byte >= 48 && byte <= 57;
    const to = (state: number): true => {
      this.#state = state;
      return true;
    };
    switch (this.#state) {
      case State.minus:
        if (isDigit) return to(byte === 48 ? State.zero : State.integer);
        break;
      case State.integer:
      case State.zero:
        if (isDigit && this.#state === State.integer) return true;
        if (byte === 46) return to(State.point);
        if (byte === 101 || byte === 69) return to(State.exponent);
        if (!isDigit) return false;
        break;
      case State.point:
      case State.fraction:
        if (isDigit) return to(State.fraction);
        if (this.#state === State.fraction && (byte === 101 || byte === 69)) return to(State.exponent);
        if (this.#state === State.fraction) return false;
        break;
      case State.exponent:
      case State.sign:
        if (this.#state === State.exponent && (byte === 43 || byte === 45)) return to(State.sign);
        if (isDigit) return to(State.power);
        break;
      default:
        return isDigit;
    }
    throw this.#unexpected(at);
  }

  #step(byte: number, at: number): void {
    switch (this.#state) {
      case State.start:
        if (byte !== OBJECT)
          throw new Failure("envelope_refused", "The body is not a JSON object.", [
            { pointer: "", message: "must be a JSON object" },
          ]);
        return this.#enter(OBJECT);
      case State.firstItem:
      case State.value:
        return byte === 93 && this.#state === State.firstItem ? this.#leave() : this.#value(byte, at);
      case State.firstKey:
      case State.key:
        if (byte === 125 && this.#state === State.firstKey) return this.#leave();
        if (byte !== 34) throw this.#unexpected(at);
        this.#isKey = true;
        this.#state = State.string;
        if (this.#depth === 1) this.#keep(Uint8Array.of(byte));
        return;
      case State.colon:
        if (byte !== 58) throw this.#unexpected(at);
        this.#state = State.value;
        return;
      case State.after:
        return this.#after(byte, at);
      case State.escape:
        if (byte === 117) this.#left = 4;
        else if (!'"\\/bfnrt'.includes(String.fromCharCode(byte))) throw this.#unexpected(at);
        this.#state = byte === 117 ? State.hex : State.string;
        break;
      case State.hex:
        if (!/[0-9a-fA-F]/.test(String.fromCharCode(byte))) throw this.#unexpected(at);
        if (--this.#left === 0) this.#state = State.string;
        break;
      case State.literal:
        if (byte !== this.#literal.charCodeAt(this.#literal.length - this.#left)) throw this.#unexpected(at);
        if (--this.#left === 0) this.#state = State.after;
        return;
      default:
        throw this.#unexpected(at);
    }
    if (this.#isKey && this.#depth === 1) this.#keep(Uint8Array.of(byte));
  }

  #value(byte: number, at: number): void {
    if (byte === OBJECT || byte === ARRAY) return this.#enter(byte);
    if (byte === 34) this.#state = State.string;
    else if (byte === 45) this.#state = State.minus;
    else if (byte === 48) this.#state = State.zero;
    else if (byte >= 49 && byte <= 57) this.#state = State.integer;
    else {
      this.#literal = LITERALS[byte] ?? "";
      if (this.#literal === "") throw this.#unexpected(at);
      this.#left = this.#literal.length - 1;
      this.#state = State.literal;
    }
  }

  #after(byte: number, at: number): void {
    const container = this.#open[this.#depth - 1];
    if (byte === 44) this.#state = container === OBJECT ? State.key : State.value;
    else if (byte === (container === OBJECT ? 125 : 93)) this.#leave();
    else throw this.#unexpected(at);
  }

  #enter(container: number): void {
    if (this.#depth === DEPTH_MAX)
      throw new Failure("envelope_refused", `The body nests deeper than ${DEPTH_MAX} levels.`);
    this.#open[this.#depth++] = container;
    this.#state = container === OBJECT ? State.firstKey : State.firstItem;
  }

  #leave(): void {
    this.#depth--;
    this.#state = this.#depth === 0 ? State.done : State.after;
  }

  #unexpected(at: number): Failure {
    return refusal(this.#offset + at, "this byte can't stand here");
  }
}

const refusal = (offset: number, why: string): Failure =>
  new Failure("envelope_refused", `The body is not JSON: ${why} (byte ${offset}).`, [
    { pointer: "", message: `not JSON at byte ${offset}: ${why}` },
  ]);
