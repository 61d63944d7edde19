import { hashOf } from "../../kernel/text/hash.ts";

/**
 * Milliseconds until the next attempt, after so many that failed. Spread over a tenth, so that many that failed
 * together do not come back together.
 */
export function retryWaitMs(
  pausesSeconds: readonly number[],
  { id, attempts }: { id: string; attempts: number },
): number {
  const seconds = pausesSeconds[attempts - 1] ?? 0;
  return Math.round(seconds * 1_000 * (1 + hashOf(`${id}#${attempts}`) / 2 ** 32 / 10));
}
