import type { Needs } from "../../../clients/context.ts";
import { listWaiting } from "../../work-model/waiting/list-waiting.ts";
import { requireRun } from "./find.ts";
import { mayReadOutput, withoutReason } from "../logs/read-output.ts";
import { RESOURCES } from "../resources/resources.ts";
import type { ShownRun } from "./store.ts";
import { wireOf } from "./wire-mapping.ts";
import type { AutomationRun } from "./wire-schema.ts";

type Deps = Needs<"scope" | "db" | "openLake">;

/** A run; of a maintenance also how far it is, as its engine job reports it now, or as it was at its last end. */
export const getAutomationRun = async (ctx: Deps, jobId: string, id: string): Promise<AutomationRun> =>
  showRun(ctx, await requireRun(ctx, jobId, id));

export async function showRun(ctx: Deps, shown: ShownRun): Promise<AutomationRun> {
  const { run } = shown;
  const waiting = (await listWaiting(ctx, "automation_run", { runs: [run], now: ctx.scope.now }))(run);
  if (!(await mayReadOutput(ctx, run))) return withoutReason(wireOf(shown, waiting));
  return wireOf(shown, waiting, await RESOURCES[run.resourceType].findProgress(ctx, run));
}
