// A failure of the API is the published client's problem, and any other failure is made one.

import { FjordProblem } from "../../../clients/typescript/src/problem.ts";

export { FjordProblem, problemOf } from "../../../clients/typescript/src/problem.ts";

const OFFLINE = "The platform could not be reached. Your connection may be down; nothing you typed is lost.";

/** Any thrown value as a problem: a request that never got an answer is one, too. */
export function asProblem(error: unknown): FjordProblem {
  if (error instanceof FjordProblem) return error;
  const message = error instanceof TypeError ? OFFLINE : String(error instanceof Error ? error.message : error);
  return new FjordProblem(0, { message, error: { code: error instanceof TypeError ? "offline" : "unexpected" } });
}

const RETRIES_MAX = 2;

/** What the API calls repeatable is asked for again; a mistake stays one however often it is sent. */
export const mayRetry = (count: number, error: unknown): boolean => count < RETRIES_MAX && asProblem(error).retryable;
