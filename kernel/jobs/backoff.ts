// The backoff is the wait before another try. Pure: its random part comes from a seed, so that the same try waits the
// same.

import { hashOf } from "../text/hash.ts";

export type Backoff = { baseMs: number; maxMs: number };

/**
 * Doubling from `baseMs`, capped at `maxMs`, then spread over its upper half: many that failed together do not come
 * back together.
 * `failures` counts from 1.
 */
export function backoffMs(failures: number, { baseMs, maxMs }: Backoff, seed: string): number {
  const capped = Math.min(maxMs, baseMs * 2 ** Math.max(0, failures - 1));
  return Math.round(capped / 2 + (capped / 2) * (hashOf(`${seed}#${failures}`) / 2 ** 32));
}
