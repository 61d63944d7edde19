import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import type { AutomationJob } from "./job.ts";
import { showJobs } from "./show.ts";
import { selectJobs, type JobFilter } from "./store.ts";

/** A page of the team's jobs, by when they were made. */
export async function listAutomationJobs(
  ctx: Needs<"scope" | "db">,
  filter: JobFilter,
  asked: Page & { ascending: boolean },
): Promise<PageOf<AutomationJob>> {
  const { items, ...page } = await selectJobs(ctx.db, ctx.scope.teamId, filter, asked);
  return { ...page, items: await showJobs(ctx, items) };
}
