// The statements that run in this engine, and the four ways one is ended from outside: deadline, lease, request,
// shutdown.

import { Failure, stopping } from "./core/failure.ts";

/** A timer that is set for longer fires at once. */
export const TIMER_MS_MAX = 2_147_483_647;

type Running = { sender: string | undefined; abort(reason: Failure): void; renew(): void };

export class Statements {
  readonly #runningMax: number;
  readonly #retryAfterSeconds: () => number;
  readonly #running = new Map<string, Running>();

  /** `retryAfterSeconds`: the wait after which another statement may fit. */
  constructor(runningMax: number, retryAfterSeconds: () => number) {
    this.#runningMax = runningMax;
    this.#retryAfterSeconds = retryAfterSeconds;
  }

  get running(): number {
    return this.#running.size;
  }

  /** The most that run or wait at once. */
  get runningMax(): number {
    return this.#runningMax;
  }

  /** The ids of those that run or wait. */
  get ids(): string[] {
    return [...this.#running.keys()];
  }

  /**
   * Does `work` under a deadline and a lease. The signal's reason is always a Failure that says why it ended. A
   * statement counts as running until `work` settles. Throws `id_running` for an id that runs already,
   * `queue_full` when no more fit.
   */
  async run(
    id: string,
    { deadlineMs, leaseMs, sender }: { deadlineMs: number; leaseMs: number; sender?: string | undefined },
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.#running.has(id))
      throw new Failure(
        "id_running",
        "A statement with this id is running. Send it again under its id when that ends.",
      );
    if (this.#running.size >= this.#runningMax)
      throw new Failure(
        "queue_full",
        `${this.#runningMax} statements run or wait, as many as this engine takes; yours would be number ` +
          `${this.#runningMax + 1}. Send it again when some have ended.`,
        { retryAfterSeconds: this.#retryAfterSeconds() },
      );

    const controller = new AbortController();
    const abort = (reason: Failure) => controller.abort(reason);
    const lapse = () =>
      abort(new Failure("cancelled", "The statement was cancelled, for nobody waits for it any more."));
    const expire = () =>
      abort(new Failure("deadline_exceeded", `The statement did not end within its ${deadlineMs / 1000} s.`));
    const deadline = setTimeout(expire, Math.min(deadlineMs, TIMER_MS_MAX));
    const lease = setTimeout(lapse, Math.min(leaseMs, TIMER_MS_MAX));
    this.#running.set(id, { sender, abort, renew: () => lease.refresh() });
    try {
      await work(controller.signal);
    } finally {
      clearTimeout(deadline);
      clearTimeout(lease);
      this.#running.delete(id);
    }
  }

  /** Renews the lease. False: the statement does not run. */
  renew(id: string): boolean {
    const running = this.#running.get(id);
    running?.renew();
    return running !== undefined;
  }

  /** Ends a statement; with `sender`, only one of that sender's. False: it does not run. */
  cancel(id: string, sender?: string): boolean {
    const running = this.#running.get(id);
    if (!running || (sender !== undefined && running.sender !== sender)) return false;
    running.abort(new Failure("cancelled", "The statement was cancelled."));
    return true;
  }

  /** Ends all statements. */
  stop(): void {
    for (const running of this.#running.values()) running.abort(stopping());
  }
}
