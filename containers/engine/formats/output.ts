// A growing run of bytes that writers append to and hand over in pieces.

const START_BYTES = 64 * 1024;
/** A piece past this size is handed over as it is; a smaller one is copied out and its memory used again. */
const COPY_BYTES_MAX = 1024 * 1024;
/** A buffer of at most this many bytes is kept, and used again for the piece after the next. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * `startBytes`: the size of a new buffer. `rowBytes`: what is reserved in addition each time, for the rest of a row.
 */
export type OutputSizes = { startBytes: number; rowBytes: number };

export class Output {
  /** Replaced when it grows, with its view: both are read anew after {@link reserve}. */
  bytes: Buffer<ArrayBuffer>;
  /** Four bytes at a time take a third of the time of four by themselves. */
  view: DataView;
  length = 0;
  readonly #sizes: OutputSizes;
  /** The buffer that was taken last by {@link takeReused}, to be used again. */
  #other: Buffer<ArrayBuffer> | undefined;

  constructor(sizes: OutputSizes = { startBytes: START_BYTES, rowBytes: 0 }) {
    this.#sizes = sizes;
    this.bytes = newBuffer(sizes.startBytes);
    this.view = viewOf(this.bytes);
  }

  /** Makes room for `more` bytes behind the first `at`. Callers write to `bytes` or `view`, and move `length`. */
  reserve(more: number, at = this.length): void {
    const needed = at + more + this.#sizes.rowBytes;
    if (needed > this.bytes.length) this.#grow(at, needed);
  }

  /** Appends `from[start .. end)`. */
  copy(from: Uint8Array, start = 0, end = from.length): void {
    const size = end - start;
    this.reserve(size);
    const { bytes } = this;
    let at = this.length;
    // Setting through a view costs more than the bytes of a usual cell.
    if (size > 48) bytes.set(from.subarray(start, end), at);
    else for (let i = start; i < end; i++) bytes[at++] = from[i]!;
    this.length += size;
  }

  /** Appends one byte. */
  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Appends a string as UTF-8. */
  text(value: string): void {
    this.reserve(value.length * 3);
    this.length += this.bytes.write(value, this.length);
  }

  /** Removes bytes from among those appended so far. */
  remove(at: number, count: number): void {
    this.bytes.copyWithin(at, at + count, this.length);
    this.length -= count;
  }

  /** The bytes that were appended so far; valid until more are. */
  get written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Takes everything appended so far; the caller owns what it gets. */
  take(): Uint8Array {
    const { written } = this;
    this.length = 0;
    if (written.length <= COPY_BYTES_MAX) return new Uint8Array(written);
    this.#replace(newBuffer(this.#sizes.startBytes));
    return written;
  }

  /** Takes everything appended so far. It is the caller's until the next call, which may write over it. */
  takeReused(): Uint8Array {
    const { bytes, written } = this;
    this.length = 0;
    this.#replace(this.#other ?? newBuffer(this.#sizes.startBytes));
    this.#other = bytes.length <= KEPT_BYTES_MAX ? bytes : undefined;
    return written;
  }

  /** Gives the memory to a later output of the same size. None of it may still be in transfer. */
  release(): void {
    const { startBytes } = this.#sizes;
    for (const bytes of [this.bytes, this.#other])
      if (bytes?.length === startBytes && spare.length < SPARE_MAX) spare.push(bytes);
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

/** Two take turns in a statement. New ones for each would bring a collection of all garbage every thirty statements. */
const SPARE_MAX = 2;
const spare: Buffer<ArrayBuffer>[] = [];

const newBuffer = (bytes: number): Buffer<ArrayBuffer> =>
  spare[0]?.length === bytes ? spare.shift()! : Buffer.allocUnsafeSlow(bytes);

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
