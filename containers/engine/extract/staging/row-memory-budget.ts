// Rows that wait to be written take memory within one budget, which the tables that are being read share evenly.

const BYTES_MAX_DEFAULT = 224 * 1024 * 1024;

export class RowMemoryBudget {
  readonly #bytesMax: number;
  #readers = 0;

  constructor(bytesMax = BYTES_MAX_DEFAULT) {
    this.#bytesMax = bytesMax;
  }

  /** To be removed once its rows are gone. */
  addReader(): void {
    this.#readers++;
  }

  removeReader(): void {
    this.#readers--;
  }

  /**
   * The bound of a table's part, which has two: while one is written, the next one fills. It shrinks as readers are
   * added; parts begun before are not cut.
   */
  get partBytesMax(): number {
    return this.#bytesMax / (2 * Math.max(1, this.#readers));
  }
}
