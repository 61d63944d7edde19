// A bound on how much work runs at once. The rest waits in line, first come first served, until it is aborted.
//
// This is not p-queue, p-limit or async-mutex: p-queue gives the slot of an aborted task away while the task still
// runs, the other two know no AbortSignal, and none of them bounds its line.

export type SemaphoreOptions = {
  /** The most callers in line; a further one is rejected with what `refuse` returns. */
  waitingMax?: number;
  refuse?: () => Error;
};

/** Gives the permit back. Calling it again does nothing. */
export type Release = () => void;

type Waiter = { permits: number; grant: () => void };

export class Semaphore {
  readonly #permits: number;
  readonly #waitingMax: number;
  readonly #refuse: () => Error;
  /** Callers in the order they came: a Set keeps it, and forgets one that leaves in constant time. */
  readonly #line = new Set<Waiter>();
  #free: number;

  constructor(permits: number, options: SemaphoreOptions = {}) {
    this.#permits = permits;
    this.#free = permits;
    this.#waitingMax = options.waitingMax ?? Infinity;
    this.#refuse = options.refuse ?? (() => new Error("Too many wait already."));
  }

  /**
   * Does `work` under a permit, which is kept until `work` has settled, aborted or not. Rejects as {@link acquire}
   * does.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#runWith(1, work, signal);
  }

  /** Like {@link run}, with all permits taken, so that no other work runs beside it. */
  async runAlone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#runWith(this.#permits, work, signal);
  }

  /** The number of callers in line. */
  get waiting(): number {
    return this.#line.size;
  }

  /** Waits for a permit. Rejects with the signal's reason once it is aborted, and at once where the line is full. */
  acquire(signal?: AbortSignal): Promise<Release> {
    return this.#acquire(1, signal);
  }

  async #runWith<T>(permits: number, work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const release = await this.#acquire(permits, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #acquire(permits: number, signal: AbortSignal | undefined): Promise<Release> {
    signal?.throwIfAborted();
    if (this.#line.size === 0 && this.#free >= permits) this.#free -= permits;
    else await this.#wait(permits, signal);
    const release = this.#releaseOf(permits);
    if (!signal?.aborted) return release;
    // The abort came after the permit was granted, and before this line ran.
    release();
    throw signal.reason;
  }

  #wait(permits: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#line.size >= this.#waitingMax) throw this.#refuse();
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const waiter: Waiter = { permits, grant };
      const leave = (): void => {
        this.#line.delete(waiter);
        reject(signal!.reason as Error);
        // The waiters behind this one may need fewer permits.
        this.#grantNext();
      };
      this.#line.add(waiter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #releaseOf(permits: number): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#free += permits;
      this.#grantNext();
    };
  }

  #grantNext(): void {
    for (const waiter of this.#line) {
      if (this.#free < waiter.permits) return;
      this.#free -= waiter.permits;
      this.#line.delete(waiter);
      waiter.grant();
    }
  }
}

/** Runs one piece of work per key at a time; `options` are for the line of each key. */
export class KeyedMutex {
  readonly #options: SemaphoreOptions;
  readonly #mutexes = new Map<string, { mutex: Semaphore; users: number }>();

  constructor(options: SemaphoreOptions = {}) {
    this.#options = options;
  }

  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const entry = this.#mutexes.get(key) ?? { mutex: new Semaphore(1, this.#options), users: 0 };
    this.#mutexes.set(key, entry);
    entry.users++;
    try {
      return await entry.mutex.run(work, signal);
    } finally {
      if (--entry.users === 0) this.#mutexes.delete(key);
    }
  }
}
