// A contender of the benchmark of jobs is given jobs under ids, and says when the code of each began.

export type Contender = {
  name: string;
  /** Makes ready what `enqueue` and `schedule` name; what this takes is not measured. */
  prepare(ids: string[]): Promise<void>;
  enqueue(id: string): Promise<void>;
  /** Each is due at every minute, until the schedules are removed by what this answers. */
  schedule(ids: string[]): Promise<() => Promise<void>>;
  /** When the code of each began for the first time since, in milliseconds of the epoch; waits for all. */
  began(ids: string[], since: number): Promise<number[]>;
  stop(): Promise<void>;
};

const WAIT_MS = 300_000;
const POLL_MS = 20;

/** Starts as the code itself reports them. */
export class Starts {
  readonly #starts = new Map<string, number[]>();

  add(id: string, at: number): void {
    this.#starts.set(id, [...(this.#starts.get(id) ?? []), at]);
  }

  async firstSince(ids: string[], since: number): Promise<number[]> {
    const first = (id: string) => this.#starts.get(id)?.find((at) => at >= since);
    await until(() => ids.every((id) => first(id) !== undefined));
    return ids.map((id) => first(id)!);
  }
}

/** Throws when it takes longer than any of these jobs may. */
export async function until(isSo: () => boolean | Promise<boolean>, pollMs = POLL_MS): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Not all jobs began within ${WAIT_MS / 1_000} s.`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
