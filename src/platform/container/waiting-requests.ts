// Requests that wait for their program, and can be cancelled there: the program does not know of them yet.

import type { EngineFailure } from "../../../kernel/wire/engine.ts";

/** The path of the DELETE that cancels a request. What names no sender in its query cancels anybody's. */
export const CANCEL_PATH_HEADER = "x-fjord-cancel-path";

export class Cancelled extends Error {
  /** What the program would say. */
  readonly failure = { code: "cancelled", message: "The statement was cancelled." } satisfies EngineFailure;
}

export class WaitingRequests {
  readonly #waiting = new Set<{ path: string; cancel: () => void }>();

  /** Settles as `ready` does. Rejects with {@link Cancelled} where the request is cancelled before. */
  async wait({ headers }: Request, ready: Promise<void>): Promise<void> {
    const path = headers.get(CANCEL_PATH_HEADER);
    if (path === null) return ready;
    const { promise, reject } = Promise.withResolvers<never>();
    const waiting = { path, cancel: () => reject(new Cancelled()) };
    this.#waiting.add(waiting);
    try {
      await Promise.race([ready, promise]);
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** False where no request waits that this DELETE cancels. */
  cancel(path: string): boolean {
    const found = [...this.#waiting].filter((waiting) => waiting.path === path || waiting.path.startsWith(`${path}?`));
    for (const { cancel } of found) cancel();
    return found.length > 0;
  }
}
