import type { Needs } from "../../../clients/context.ts";
import { sweepRuns } from "../../work-model/sweep.ts";
import { AUTOMATION_WORK } from "../automation-work.ts";

/** Wakes up runs whose message was lost or whose step died, and forgets runs of long ago with their attempts. */
export async function sweepAutomationRuns(
  deps: Needs<"db" | "wakeUps">,
  at: Date,
): Promise<{ automationRunsWoken: number; automationRunsForgotten: number }> {
  const { woken, forgotten } = await sweepRuns(AUTOMATION_WORK, deps, at);
  return { automationRunsWoken: woken, automationRunsForgotten: forgotten };
}
