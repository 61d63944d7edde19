// What a step has changed, in the run's log.

import type { LogLevel } from "../../platform/logs/log-lines.ts";
import type { WorkDeps } from "./kind.ts";
import type { Observation, RunState } from "./next-state.ts";
import type { WorkRun } from "./run.ts";

type LogText = [level: LogLevel, message: string];
type Step = { after: RunState; observation: Observation; nowMs: number; worker: string };

/** A line that is lost is no failure of the run. */
export async function logStep({ openLog }: Pick<WorkDeps, "openLog">, run: WorkRun, step: Step): Promise<void> {
  const line = lineOf(run, step);
  if (!line) return;
  const [level, message] = line;
  await openLog(run.teamId)
    .append(run.id, [{ level, message, attempt: Math.max(1, run.attempt) }])
    .catch((error: unknown) =>
      console.error(JSON.stringify({ event: "log_lost", runId: run.id, cause: String(error) })),
    );
}

/** Undefined where a step changed nothing that is worth a line. */
function lineOf(before: WorkRun, { after, observation: { kind }, nowMs, worker }: Step): LogText | undefined {
  const waitSeconds = Math.round((after.dueAtMs - nowMs) / 1_000);
  if (after.state === "succeeded") return ["info", "The run has succeeded."];
  if (after.state === "failed") return ["error", `The run has failed. ${after.error ?? ""}`];
  if (after.state === "timed_out") return ["error", after.error ?? "The run took too long."];
  if (after.state === "cancelled") return ["warning", before.cancelReason ?? "The run was cancelled."];
  if (kind === "started") return ["info", `Attempt ${after.attempt} has started.`];
  if (kind === "no_capacity")
    return before.refusals === 0
      ? ["info", `The ${worker} has no room yet. Trying again in ${waitSeconds} s, and so on.`]
      : undefined;
  if (after.state === "queued")
    return [
      "warning",
      `Attempt ${after.attempt} has failed; the next one starts in ${waitSeconds} s. ${after.error ?? ""}`,
    ];
  return undefined;
}
