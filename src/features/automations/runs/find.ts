// A run by its job and id, or the failure that says there is none.

import { isUuid } from "../../../core/ids.ts";
import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireJob } from "../jobs/find.ts";
import { findShownRun, type ShownRun } from "./store.ts";

/**
 * A run of another team, or of another job, answers exactly as one that does not exist. The job itself may be deleted:
 * its runs outlive it.
 */
export async function requireRun(ctx: Needs<"scope" | "db">, jobId: string, id: string): Promise<ShownRun> {
  const found = isUuid(id) ? await findShownRun(ctx.db, ctx.scope.teamId, id.toLowerCase()) : undefined;
  if (found && found.run.automationId === jobId.toLowerCase()) return found;
  await requireJob(ctx, jobId);
  throw notFound("Run", id);
}
