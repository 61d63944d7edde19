// Long work of the page in slices, between which it draws and takes keys.

const SLICE_MS = 8;

/** Runs the work to its end. Rejects with the signal's reason; `onProgress` is told after each slice. */
export async function runSliced<Result>(
  work: Generator<number, Result>,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    let step = work.next();
    while (!step.done && performance.now() < until) step = work.next();
    if (step.done) return step.value;
    onProgress(step.value);
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
}
