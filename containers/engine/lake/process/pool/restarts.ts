// Query processes that do not start are tried again after ever longer waits. Pure.

import { Failure } from "../../../core/failure.ts";

/** After this many failures in a row, no statement waits for the next start. */
export const START_FAILURES_MAX = 3;
const FIRST_MS = 250;
const LAST_MS = 30_000;

/** The wait before the next start, by the number of processes in a row that were of no use. */
export const restartMs = (failures: number): number => Math.min(LAST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));

export const cannotStart = (): Failure =>
  new Failure(
    "platform_unavailable",
    "The engine can't start the processes that statements run in. It goes on trying; send the statement again later.",
  );
