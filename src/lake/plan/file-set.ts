// A set of files takes a bit for each id, in blocks of near ids: a plan may leave out a million files, and a `Set` of
// as many numbers would take a third of an object's memory.

/** Ids of one block; a block takes 8 KiB. */
const BLOCK_IDS = 65_536;
const WORD_BITS = 32;

export class FileSet {
  readonly #blocks = new Map<number, Uint32Array>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(fileId: number): boolean {
    const block = this.#blocks.get(Math.floor(fileId / BLOCK_IDS));
    return block !== undefined && (block[wordOf(fileId)]! & bitOf(fileId)) !== 0;
  }

  add(fileId: number): void {
    const number = Math.floor(fileId / BLOCK_IDS);
    let block = this.#blocks.get(number);
    if (!block) this.#blocks.set(number, (block = new Uint32Array(BLOCK_IDS / WORD_BITS)));
    const word = wordOf(fileId);
    if ((block[word]! & bitOf(fileId)) !== 0) return;
    block[word]! |= bitOf(fileId);
    this.#size++;
  }

  /** Takes out what is not in the other set. */
  keepOnly(other: FileSet): void {
    this.#size = 0;
    for (const [number, block] of this.#blocks) {
      const others = other.#blocks.get(number);
      for (let word = 0; word < block.length; word++) {
        block[word]! &= others?.[word] ?? 0;
        this.#size += bitsOf(block[word]!);
      }
    }
  }
}

const wordOf = (fileId: number): number => Math.floor((fileId % BLOCK_IDS) / WORD_BITS);
const bitOf = (fileId: number): number => 1 << (fileId % WORD_BITS);

/** How many bits of the word are set. */
function bitsOf(word: number): number {
  let bits = 0;
  for (let left = word; left !== 0; left &= left - 1) bits++;
  return bits;
}
