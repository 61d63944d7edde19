// A bound on how many do the same at once: the others wait in line.

export class Turns {
  readonly #atOnce: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];
  /** Of those that take all turns: two that held some each would wait for each other. */
  #alone: Turns | undefined;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
    this.#free = atOnce;
  }

  /**
   * Does `work` when it is its turn. An aborted `signal` gives up the turn, or the place in the line: rejects with its
   * reason.
   */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(go);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** As {@link take}, with nobody beside it. */
  takeAll<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const nested = (turns: number): Promise<T> => (turns === 0 ? work() : this.take(signal, () => nested(turns - 1)));
    return (this.#alone ??= new Turns(1)).take(signal, () => nested(this.#atOnce));
  }
}

/** One at a time of each key. */
export class TurnsByKey {
  readonly #lines = new Map<string, { turns: Turns; takers: number }>();

  async take<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { turns: new Turns(1), takers: 0 };
    this.#lines.set(key, line);
    line.takers++;
    try {
      return await line.turns.take(signal, work);
    } finally {
      if (--line.takers === 0) this.#lines.delete(key);
    }
  }
}
