import type { Needs } from "../../../clients/context.ts";
import type { LogPage } from "../../../platform/logs/log-lines.ts";
import { requireRun } from "../find.ts";
import { viewSync } from "../view.ts";

/**
 * A page of what a run has said, over all its attempts, oldest first; to whom tables are hidden, nothing. Lines past
 * their time are no longer there.
 */
export async function listSyncRunLogs(
  ctx: Needs<"scope" | "db" | "openLog">,
  integrationId: string,
  runId: string,
  page: { offset: number; limit: number },
): Promise<LogPage> {
  const run = await requireRun(ctx, integrationId, runId);
  // A line is text, and may name any table of the sync.
  if (!(await viewSync(ctx, run)).isWhole) return { lines: [], total: 0 };
  return ctx.openLog(ctx.scope.teamId).read(run.id, page.offset, page.limit);
}
