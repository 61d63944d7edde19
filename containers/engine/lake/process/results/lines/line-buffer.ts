// Bytes of lines on their way to frames: one buffer that cells are put into, grown where a row does not fit.

import { FRAME_BYTES_MAX } from "../../frames.ts";

/** Room for the row that overruns a frame before it is sent. */
const SLACK_BYTES = 64 * 1024;

/** Written from `at` on, which each writer takes and answers anew: a local number costs less than a field. */
export class LineBuffer {
  /** Replaced when it grows, with its view: read anew after {@link reserve}. */
  bytes = newBuffer();
  /** Four bytes at a time take a third of the time of four by themselves. */
  view = viewOf(this.bytes);
  /** Bytes that are reserved in addition: those of a row without its texts. */
  readonly #spare: number;
  /** The buffer that was taken last, to be used again. */
  #other: Buffer<ArrayBuffer> | undefined;

  constructor(spare: number) {
    this.#spare = spare;
  }

  /** Makes room for `more` bytes behind the first `at`, and for the rest of the row. */
  reserve(at: number, more: number): void {
    const needed = at + more + this.#spare;
    if (needed > this.bytes.length) this.#grow(at, needed);
  }

  /** The first `at` bytes, valid until the next call. */
  take(at: number): Uint8Array {
    const taken = this.bytes.subarray(0, at);
    const { bytes } = this;
    this.#replace(this.#other ?? newBuffer());
    this.#other = bytes.length === BUFFER_BYTES ? bytes : undefined;
    return taken;
  }

  /** Gives the memory to the next statement. None of it may still be in transfer. */
  release(): void {
    for (const bytes of [this.bytes, this.#other])
      if (bytes?.length === BUFFER_BYTES && spare.length < SPARE_MAX) spare.push(bytes);
  }

  #grow(at: number, needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, at));
    this.#replace(grown);
  }

  #replace(bytes: Buffer<ArrayBuffer>): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}

const BUFFER_BYTES = FRAME_BYTES_MAX + SLACK_BYTES;
/** Two take turns in a statement. New ones for each would bring a collection of all garbage every thirty statements. */
const SPARE_MAX = 2;
const spare: Buffer<ArrayBuffer>[] = [];
const newBuffer = (): Buffer<ArrayBuffer> => spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Bytes that are written again and again, in words: up to three behind them are overwritten. */
export class Constant {
  readonly length: number;
  readonly #words: Int32Array;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    this.length = bytes.length;
    this.#words = new Int32Array(Math.ceil(bytes.length / 4));
    const view = viewOf(new Uint8Array(this.#words.buffer));
    bytes.forEach((byte, i) => view.setUint8(i, byte));
  }

  put(view: DataView, at: number): number {
    const words = this.#words;
    for (let i = 0; i < words.length; i++) view.setInt32(at + i * 4, words[i]!, true);
    return at + this.length;
  }
}
