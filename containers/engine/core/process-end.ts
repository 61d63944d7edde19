// A child process that nobody here ended has failed by itself, or was killed from outside.

import { Failure } from "./failure.ts";

/**
 * Signals that others send. A process that needs more than it may have does not end by one of these: the kernel's bound
 * (`ulimit -d`) lets its allocations fail, which DuckDB reports and which Node and C++ abort by (SIGABRT, SIGTRAP), and
 * a crash is a SIGSEGV. The kernel's killer of processes sends SIGKILL as well, where the machine has no memory left:
 * as each process is within its own bound, that says nothing of the work, which may go better the next time.
 */
const OUTSIDE: readonly NodeJS.Signals[] = ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"];

/** The failure of work whose process ended by this signal: `died`, unless it was killed from outside. */
export const endedBy = (signal: NodeJS.Signals | null | undefined, died: string): Failure =>
  signal && OUTSIDE.includes(signal)
    ? new Failure("process_killed", "The process that worked on this was killed from outside. Try again.")
    : new Failure("resources_exceeded", died);

export const wasKilled = (error: unknown): boolean => error instanceof Failure && error.code === "process_killed";

/** Does `work`, and once more where its process was killed from outside. */
export async function retryOnKill<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (!wasKilled(error)) throw error;
    return work();
  });
}
