import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { isUuid } from "../../../core/ids.ts";
import { requireJob } from "../jobs/find.ts";
import { listWaiting } from "../../work-model/waiting/list-waiting.ts";
import { mayReadOutput, withoutReason } from "../logs/read-output.ts";
import { hasRuns, selectRunsOf, type RunFilter, type ShownRun } from "./store.ts";
import { wireOf } from "./wire-mapping.ts";
import type { AutomationRun } from "./wire-schema.ts";

/** A page of a job's runs, by when they were made. Runs of a deleted job are listed for as long as any is kept. */
export async function listAutomationRuns(
  ctx: Needs<"scope" | "db">,
  jobId: string,
  filter: RunFilter,
  asked: Page & { ascending: boolean },
): Promise<PageOf<AutomationRun>> {
  const { scope, db } = ctx;
  const id = jobId.toLowerCase();
  if (!isUuid(id) || !(await hasRuns(db, scope.teamId, id))) await requireJob(ctx, jobId);
  const { items, ...page } = await selectRunsOf(db, { teamId: scope.teamId, id }, filter, asked);
  const waitingOf = await listWaiting(ctx, "automation_run", { runs: items.map(({ run }) => run), now: scope.now });
  const wire = (shown: ShownRun): AutomationRun => wireOf(shown, waitingOf(shown.run));
  const show = async (shown: ShownRun): Promise<AutomationRun> =>
    (await mayReadOutput(ctx, shown.run)) ? wire(shown) : withoutReason(wire(shown));
  return { ...page, items: await Promise.all(items.map(show)) };
}
