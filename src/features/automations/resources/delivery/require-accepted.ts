// A delivery reads with the rights of its job's owner, and anybody may change a query of their own. A change by
// somebody else has to be accepted first.

import type { Needs } from "../../../../clients/context.ts";
import { Problem } from "../../../../core/problem.ts";
import { findAccessDigest } from "../../../access/resolve.ts";
import type { Written } from "../../../saved-queries/find.ts";
import { actAs } from "../../../teams/users/act-as.ts";
import { findJob } from "../../jobs/store.ts";
import type { Run } from "../../runs/run.ts";

type Ctx = Needs<"db" | "scope">;

/**
 * Throws 403 for a version of a saved query that somebody wrote who may read less than everything, unless the job or
 * its delivery was saved after it: these take an admin, who may read everything.
 */
export async function requireAccepted(
  ctx: Ctx,
  run: Run,
  { written, saidAt }: { written: Written; saidAt: string },
): Promise<void> {
  if (written.by === run.ownerId || written.at < saidAt) return;
  if (await mayReadEverything(ctx, written.by)) return;
  const job = run.automationId === null ? undefined : await findJob(ctx.db, run.teamId, run.automationId);
  // A job that has paused itself was changed by nobody who could have accepted it.
  if (job && job.pausedReason === null && written.at < job.updatedAt) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    "The saved query was changed by somebody who may read less than the job's owner. Read what it says now: an admin " +
      "who saves the job (PATCH) accepts it.",
  );
}

/** As things are now; nobody who is gone may read anything. */
async function mayReadEverything({ db, scope }: Ctx, userId: string): Promise<boolean> {
  const writer = await actAs({ db, scope }, userId, scope);
  return writer !== undefined && (await findAccessDigest({ db, scope: writer })) === null;
}
