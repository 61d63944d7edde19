// A bound on how many do the same at once: the others wait in line.

export class Turns {
  private readonly atOnce: number;
  private free: number;
  private readonly waiting: (() => void)[] = [];
  /** Of those that take all turns: two that held some each would wait for each other. */
  private alone: Turns | undefined;

  constructor(atOnce: number) {
    this.atOnce = atOnce;
    this.free = atOnce;
  }

  /** Does `work` when it is its turn. An aborted `signal` lets the turn pass: rejects with its reason. */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }

  /** As {@link take}, with nobody beside it. */
  takeAll<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const nested = (turns: number): Promise<T> => (turns === 0 ? work() : this.take(signal, () => nested(turns - 1)));
    return (this.alone ??= new Turns(1)).take(signal, () => nested(this.atOnce));
  }
}
