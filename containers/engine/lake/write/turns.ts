// Work that goes on one at a time by key, in the order it came.

export class Turns {
  private readonly last = new Map<string, Promise<void>>();

  /** Rejects with the signal's reason where its turn does not come in time. */
  async take<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    const own = before.then(() => done);
    this.last.set(key, own);
    const { promise: stopped, reject: stop } = Promise.withResolvers<never>();
    const abort = (): void => stop(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    try {
      signal.throwIfAborted();
      await Promise.race([before, stopped]);
      return await work();
    } finally {
      signal.removeEventListener("abort", abort);
      end();
      if (this.last.get(key) === own) this.last.delete(key);
    }
  }
}
