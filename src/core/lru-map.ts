// A map of limited size that forgets what was used least recently. The engine has one like it, which nothing here may
// import.

export class LruMap<Value> {
  readonly #values = new Map<string, Value>();
  readonly #max: number;
  readonly #sizeOf: (value: Value) => number;
  #size = 0;

  /** Keeps `max` values, or as many as come to `max` of what `sizeOf` counts. */
  constructor(max: number, sizeOf: (value: Value) => number = () => 1) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  /** One that alone is more than `max` is not kept, and takes nobody's place. */
  set(key: string, value: Value): void {
    this.#delete(key);
    if (this.#sizeOf(value) > this.#max) return;
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#max) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#size -= this.#sizeOf(value);
  }
}
