import { AUTOMATION_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { stepRun } from "../../work-model/step-run.ts";
import { AUTOMATION_WORK } from "../automation-work.ts";
import type { AutomationDeps } from "../resources/kind.ts";
import type { RunName } from "../../work-model/run.ts";

/** The dependencies of running a job within a request. */
export type ProcessDeps = AutomationDeps & Needs<"scope">;

/**
 * A run's first step, in the request that asks for it: the queue holds its messages back for a while. It waits for a
 * container no longer than is good for a request; the step goes on without it, and the sweep makes up for one that
 * dies.
 */
export async function takeFirstStep(
  deps: AutomationDeps,
  run: RunName,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<void> {
  const step = stepRun(AUTOMATION_WORK, deps, run).catch((error: unknown) =>
    console.error(JSON.stringify({ event: "first_step_failed", runId: run.id, cause: String(error) })),
  );
  waitUntil(step);
  await Promise.race([step, scheduler.wait(AUTOMATION_LIMITS.firstStepMs)]);
}
