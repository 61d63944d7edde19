// A map of limited size that forgets what was used least recently.

/** A map that keeps its most recently used values: `max` of them, or of what `sizeOf` counts. */
export class LruMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #max: number;
  readonly #sizeOf: (value: Value) => number;
  #size = 0;

  constructor(max: number, sizeOf: (value: Value) => number = () => 1) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#delete(key);
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value);
    while (this.#size > this.#max) this.#delete(this.#values.keys().next().value!);
  }

  #delete(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#size -= this.#sizeOf(value);
  }
}
