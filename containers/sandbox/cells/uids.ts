// A block of uids for this sandbox alone: where several share a machine, one's datasets must not be another's.

import { createServer } from "node:net";

const firstUid = 61_000;
const blocksMax = 128;

/** Cells of one sandbox, working and warm, at most. */
export const UIDS_PER_SANDBOX = 32;

/** The first of the block, held until this process ends; null where we may not change uids. Rejects where all are taken. */
export async function claimUids(): Promise<number | null> {
  if (process.getuid?.() !== 0) return null;
  for (let block = 0; block < blocksMax; block++) {
    if (await isClaimed(block)) return firstUid + block * UIDS_PER_SANDBOX;
  }
  throw new Error("Too many sandboxes run on this machine: no uids are left.");
}

/** An abstract socket has one owner and goes with it, whatever its end. */
function isClaimed(block: number): Promise<boolean> {
  return new Promise((resolve) => {
    const claim = createServer((socket) => socket.destroy());
    claim.once("error", () => resolve(false));
    claim.listen(`\0fjord-sandbox-uids-${block}`, () => {
      claim.unref();
      resolve(true);
    });
  });
}
