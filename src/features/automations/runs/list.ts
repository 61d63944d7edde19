import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../platform/context.ts";
import { requireJob } from "../jobs/find.ts";
import { selectRunsOf, type RunFilter } from "./store.ts";
import { wireOf } from "./wire-mapping.ts";
import type { AutomationRun } from "./wire-schema.ts";

/** A page of a job's runs, by when they were made. */
export async function listAutomationRuns(
  ctx: Needs<"scope" | "db">,
  jobId: string,
  filter: RunFilter,
  asked: Page & { ascending: boolean },
): Promise<PageOf<AutomationRun>> {
  const job = await requireJob(ctx, jobId);
  const { items, ...page } = await selectRunsOf(ctx.db, job, filter, asked);
  return { ...page, items: items.map((shown) => wireOf(shown)) };
}
