import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../platform/context.ts";
import { requireJob } from "../jobs/find.ts";
import { mayReadOutput, withoutReason } from "../logs/read-output.ts";
import { selectRunsOf, type RunFilter, type ShownRun } from "./store.ts";
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
  const show = async (shown: ShownRun): Promise<AutomationRun> =>
    (await mayReadOutput(ctx, shown.run)) ? wireOf(shown) : withoutReason(wireOf(shown));
  return { ...page, items: await Promise.all(items.map(show)) };
}
