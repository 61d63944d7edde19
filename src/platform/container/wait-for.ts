// Work that is waited for until a deadline or a signal, and no longer. The work itself goes on.

export type Bound = { deadlineMs: number; signal?: AbortSignal; late?: (message: string) => Error };

/** Rejects with the signal's reason, or with what `late` makes of a deadline that has passed. */
export async function waitFor<Value>(work: Promise<Value>, bound: Bound): Promise<Value> {
  const { deadlineMs, signal, late = (message) => new Error(message) } = bound;
  const settled = new AbortController();
  const stopped = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true, signal: settled.signal });
    scheduler.wait(deadlineMs, { signal: settled.signal }).then(
      () => reject(late(`no answer within ${deadlineMs} ms`)),
      () => undefined,
    );
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    settled.abort();
  }
}

const POLL_MS = 50;

/** Waits for what is soon so, and no longer than `waitMs`. */
export async function until(isSo: () => Promise<boolean>, waitMs: number): Promise<void> {
  for (let waited = 0; !(await isSo()) && waited < waitMs; waited += POLL_MS) await scheduler.wait(POLL_MS);
}
