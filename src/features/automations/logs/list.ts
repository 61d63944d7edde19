import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import type { LogLevel } from "../../../platform/logs/log-lines.ts";
import { requireRun } from "../runs/find.ts";
import { requireAttempt } from "./list-attempts.ts";
import type { AutomationLogEntry } from "../runs/wire-schema.ts";
import { commonLevels, linesFor } from "./lines.ts";

type Of = { jobId: string; runId: string; attemptId: string };
type LinesPage = Page & { ascending: boolean; levels?: LogLevel[] | undefined };

/**
 * A page of what one attempt has said, and what its datasets or its engine job have, as far as that is the caller's to
 * know.
 */
export async function listAutomationLogs(
  ctx: Needs<"scope" | "db" | "openLog">,
  { jobId, runId, attemptId }: Of,
  { ascending, levels, limit, offset }: LinesPage,
): Promise<PageOf<AutomationLogEntry>> {
  const { run } = await requireRun(ctx, jobId, runId);
  const attempt = await requireAttempt(ctx, run, attemptId);
  const { sources, levels: allowed } = await linesFor(ctx, run);
  const query = { attempt, levels: commonLevels(levels, allowed), ascending, limit, offset, sources };
  const { lines, total } = await ctx.openLog(run.teamId).query(run.id, query);
  return { items: lines, total, limit, offset };
}
