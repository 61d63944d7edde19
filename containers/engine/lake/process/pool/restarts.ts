// What becomes of query processes that do not start: they are tried again, ever more seldom. Pure.

import { Failure } from "../../../core/failure.ts";

/** After so many in a row no statement waits for the next. */
export const START_FAILURES_MAX = 3;
const FIRST_MS = 250;
const LAST_MS = 30_000;

/** Before the next start, after so many processes in a row that were of no use. */
export const restartMs = (failures: number): number => Math.min(LAST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));

export const cannotStart = (): Failure =>
  new Failure(
    "platform_unavailable",
    "The engine can't start the processes that statements run in. It goes on trying; send the statement again later.",
  );
