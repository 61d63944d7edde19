// A map of limited size that forgets what was used least recently. The Worker and the containers' programs use it.

/** A map that keeps its most recently used values: `max` of them, or of what `sizeOf` counts when they are set. */
export class LruMap<Value> {
  readonly #entries = new Map<string, { value: Value; size: number }>();
  readonly #max: number;
  readonly #sizeOf: (value: Value) => number;
  #size = 0;

  constructor(max: number, sizeOf: (value: Value) => number = () => 1) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value. A value that alone is larger than `max` is not kept, and evicts nothing. */
  set(key: string, value: Value): void {
    this.delete(key);
    const size = this.#sizeOf(value);
    if (size > this.#max) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    while (this.#size > this.#max) this.delete(this.#entries.keys().next().value!);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }
}
