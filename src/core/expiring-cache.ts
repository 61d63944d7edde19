// The cache keeps values that were read, in bounded number, until a time. What is being read while something is
// forgotten is not kept: it may be what was to be forgotten.

export class ExpiringCache<Value> {
  readonly #entriesMax: number;
  /** In the order they were kept, which is about the order in which they end. */
  readonly #entries = new Map<string, { value: Value; until: number }>();
  #changes = 0;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get(key: string, now: Date): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > now.getTime() ? entry.value : undefined;
  }

  /** To be called before a value is read; gives what keeps it afterwards, `until` in milliseconds since 1970. */
  reading(): (key: string, value: Value, until: number) => void {
    const changesBefore = this.#changes;
    return (key, value, until) => {
      if (changesBefore === this.#changes) this.#keep(key, { value, until });
    };
  }

  forget(isMeant: (key: string, value: Value) => boolean): void {
    this.#changes++;
    for (const [key, { value }] of this.#entries) if (isMeant(key, value)) this.#entries.delete(key);
  }

  #keep(key: string, entry: { value: Value; until: number }): void {
    // Deleted first, so that a renewed entry moves to the end of the order.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#entriesMax) this.#entries.delete(oldest!);
  }
}
