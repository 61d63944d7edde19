// The requests that run in this engine and are no statements, such as the test of a connection or the compilation of a
// model: none changes anything.

import { Failure, reasonOf, stopping } from "./core/failure.ts";
import { TIMER_MS_MAX } from "./statements.ts";

export class Requests {
  readonly #running = new Set<AbortController>();

  get running(): number {
    return this.#running.size;
  }

  /**
   * Does `work` under a deadline, whose failure is `tooLate`. `leave` ends it, for nobody waits for it any more.
   * Rejects with the reason of its end where it was ended, and with its own failure otherwise.
   */
  async run<Result>(
    { deadlineMs, tooLate }: { deadlineMs: number; tooLate: () => Failure },
    work: (signal: AbortSignal, leave: () => void) => Promise<Result>,
  ): Promise<Result> {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(tooLate()), Math.min(deadlineMs, TIMER_MS_MAX));
    this.#running.add(controller);
    try {
      return await work(signal, () => controller.abort(new Failure("cancelled", "Whoever asked has gone.")));
    } catch (error) {
      throw reasonOf(error, signal).ofRead();
    } finally {
      clearTimeout(timer);
      this.#running.delete(controller);
    }
  }

  /** Ends all requests. */
  stop(): void {
    for (const controller of this.#running) controller.abort(stopping());
  }
}
