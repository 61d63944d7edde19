// A step checks that it still has its run to itself: a worker that sleeps through its claim must not go on beside
// another.

import { WORK_LIMITS } from "./limits.ts";
import type { Db } from "../../platform/db/client.ts";
import type { RunTable } from "./kind.ts";
import type { RunName } from "./run.ts";
import { findWorkRun, isClaimed, renewClaim } from "./store.ts";

type Claimed = RunName & { revision: number; workId: string | null };

/** Throws where somebody has moved the run on since it was claimed. */
export async function requireClaim(db: Db, table: RunTable, run: Claimed): Promise<void> {
  if (!(await isClaimed(db, table, run))) throw new Error("This step took too long, and another has taken it over.");
}

/** Whether somebody has moved the run on, and does not count on the very job that was started for it here. */
export async function isGivenUp(db: Db, table: RunTable, run: Claimed): Promise<boolean> {
  if (await isClaimed(db, table, run)) return false;
  return (await findWorkRun(db, table, run))?.workId !== run.workId;
}

const RENEWALS_MAX = WORK_LIMITS.stepMs / WORK_LIMITS.claimRenewMs;

/**
 * Renews the claim of a run while `work` goes on, a bounded number of times. A renewal that fails is logged: once the
 * claim has run out, another step takes the run over.
 */
export async function whileClaimed<Result>(
  { db, table, run, clock }: { db: Db; table: RunTable; run: Claimed; clock: () => Date },
  work: () => Promise<Result>,
): Promise<Result> {
  let renewals = 0;
  const timer = setInterval(() => {
    if (++renewals >= RENEWALS_MAX) clearInterval(timer);
    const until = new Date(clock().getTime() + WORK_LIMITS.claimMs).toISOString();
    renewClaim(db, table, run, until).catch((error: unknown) =>
      console.error(JSON.stringify({ event: "claim_not_renewed", runId: run.id, cause: String(error) })),
    );
  }, WORK_LIMITS.claimRenewMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
