// Memory of a column of batches: it grows as a batch asks for it, and is used again for the next.

const START_BYTES = 4096;

export class Memory {
  /** Replaced when it grows, with its view: both are read anew after {@link reserve}. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(START_BYTES);
  view = new DataView(this.bytes.buffer);
  readonly #keptBytes: number;

  /** More than `keptBytes` are given back after their batch: in the next another column's values may be long. */
  constructor(keptBytes: number) {
    this.#keptBytes = keptBytes;
  }

  /** Sees that there are so many bytes. They are whole numbers' of any width; new ones are zero. */
  reserve(bytes: number): void {
    if (bytes <= this.bytes.length) return;
    const grown = new Uint8Array((Math.max(bytes, this.bytes.length * 2) + 63) & ~63);
    grown.set(this.bytes);
    this.#replace(grown);
  }

  reset(): void {
    if (this.bytes.length > this.#keptBytes) this.#replace(new Uint8Array(START_BYTES));
  }

  #replace(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
  }
}
