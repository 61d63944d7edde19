// The memory of rows that wait to be written: a few large slabs, used again and again. A buffer for each column of each
// chunk would be tens of thousands of objects, which every collection of garbage looks at.

const SLAB_BYTES = 1024 * 1024;
/** Larger pieces have a buffer of their own, which is not kept. */
const PIECE_BYTES_MAX = SLAB_BYTES / 4;
/** Cells of every width begin at their own size. */
const ALIGNMENT = 16;

/** A piece of memory begins at `at` of `bytes`. */
export type Piece = { bytes: Uint8Array<ArrayBuffer>; at: number };

/** Slabs that no rows lie in. */
export class SlabPool {
  readonly #idle: Uint8Array<ArrayBuffer>[] = [];
  readonly #idleBytesMax: () => number;

  /** `idleBytesMax`: what may be kept for later, which shrinks as other readers come. */
  constructor(idleBytesMax: () => number) {
    this.#idleBytesMax = idleBytesMax;
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.#idle.pop() ?? new Uint8Array(SLAB_BYTES);
  }

  giveBack(slab: Uint8Array<ArrayBuffer>): void {
    if ((this.#idle.length + 1) * SLAB_BYTES <= this.#idleBytesMax()) this.#idle.push(slab);
  }
}

/** The memory of one part's rows. Pieces are given back in the order in which they were taken. */
export class RowMemory {
  /** All that is held for the rows, with the ends of slabs that are not used. */
  heldBytes = 0;
  readonly #pool: SlabPool;
  readonly #slabs: Uint8Array<ArrayBuffer>[] = [];
  #used = SLAB_BYTES;
  #givenBack = 0;

  constructor(pool: SlabPool) {
    this.#pool = pool;
  }

  take(bytes: number): Piece {
    if (bytes === 0 || bytes > PIECE_BYTES_MAX) {
      this.heldBytes += bytes;
      return { bytes: new Uint8Array(bytes), at: 0 };
    }
    const size = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    if (this.#used + size > SLAB_BYTES) {
      this.#slabs.push(this.#pool.take());
      this.heldBytes += SLAB_BYTES;
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += size;
    return { bytes: this.#slabs.at(-1)!, at };
  }

  /** How many slabs lie wholly before the next piece, for {@link giveBack}. */
  get position(): number {
    return Math.max(0, this.#slabs.length - 1);
  }

  /** Gives the slabs before `position` back: nothing may read them any more. */
  giveBack(position: number): void {
    for (; this.#givenBack < position; this.#givenBack++) this.#pool.giveBack(this.#slabs[this.#givenBack]!);
  }

  /** Gives every slab back. */
  close(): void {
    this.giveBack(this.#slabs.length);
  }
}
