// A growing run of bytes that writers append to and hand over in pieces.

const START_BYTES = 64 * 1024;
/** A piece past this size is handed over as it is; a smaller one is copied out and its memory used again. */
const COPY_BYTES_MAX = 1024 * 1024;

export class Output {
  bytes: Buffer = Buffer.allocUnsafeSlow(START_BYTES);
  length = 0;

  /** Makes space for `more` bytes past `length`. Callers then write to `bytes` directly and move `length`. */
  reserve(more: number): void {
    const wanted = this.length + more;
    if (wanted <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(wanted, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
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

  /** What was appended so far; valid until more is. */
  get written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Takes everything appended so far; the caller owns what it gets. */
  take(): Uint8Array {
    const { bytes, length } = this;
    this.length = 0;
    if (length <= COPY_BYTES_MAX) return new Uint8Array(bytes.subarray(0, length));
    this.bytes = Buffer.allocUnsafeSlow(START_BYTES);
    return bytes.subarray(0, length);
  }
}
