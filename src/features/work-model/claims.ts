// Whether a step still has its run to itself: a worker that sleeps through its claim must not go on beside another.

import type { Db } from "../../platform/db/client.ts";
import type { RunTable } from "./kind.ts";
import type { RunName } from "./run.ts";
import { findWorkRun, isClaimed } from "./store.ts";

type Claimed = RunName & { revision: number; jobId: string | null };

/** Throws where somebody has moved the run on since it was claimed. */
export async function requireClaim(db: Db, table: RunTable, run: Claimed): Promise<void> {
  if (!(await isClaimed(db, table, run))) throw new Error("This step took too long, and another has taken it over.");
}

/** Whether somebody has moved the run on, and does not count on the very job that was started for it here. */
export async function isGivenUp(db: Db, table: RunTable, run: Claimed): Promise<boolean> {
  if (await isClaimed(db, table, run)) return false;
  return (await findWorkRun(db, table, run))?.jobId !== run.jobId;
}
