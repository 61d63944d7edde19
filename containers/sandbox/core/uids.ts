// A block of uids for this sandbox alone: where several share a machine, one's datasets must not be another's.

import { lockOnMachine } from "./machine-lock.ts";

const FIRST_UID = 61_000;
const BLOCKS_MAX = 128;

/** Worker processes of one sandbox, working and warm, at most. */
export const UIDS_PER_SANDBOX = 32;

/**
 * The first of the block, held until this process ends; null where we may not change uids. Rejects where all are taken.
 */
export async function lockUids(): Promise<number | null> {
  if (process.getuid?.() !== 0) return null;
  for (let block = 0; block < BLOCKS_MAX; block++) {
    if (await lockOnMachine(`uids-${block}`)) return FIRST_UID + block * UIDS_PER_SANDBOX;
  }
  throw new Error("Too many sandboxes run on this machine: no uids are left.");
}
