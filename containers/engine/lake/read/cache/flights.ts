// Runs that are under way and whose results are to be kept: an equal statement waits for such a run instead of running
// beside it.

export class Flights {
  readonly #landings = new Map<string, Promise<void>>();

  /** Settles once the run of this key has left its result in the cache, or will not soon; undefined without one. */
  get(key: string): Promise<void> | undefined {
    return this.#landings.get(key);
  }

  /** To be called when a run begins; answers what is to be called when nobody is to wait for it any more. */
  begin(key: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#landings.set(key, promise);
    return () => {
      if (this.#landings.get(key) === promise) this.#landings.delete(key);
      resolve();
    };
  }
}
