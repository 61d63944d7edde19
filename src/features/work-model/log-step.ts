// The changes of a step, in the run's log.

import type { LogLevel } from "../../platform/logs/log-lines.ts";
import type { WorkDeps } from "./kind.ts";
import type { Observation, RunState } from "./next-state.ts";
import type { WorkRun } from "./run.ts";

type LogText = [level: LogLevel, message: string];
type Step = { after: RunState; observation: Observation; nowMs: number; worker: string };

export async function logStep({ openLog }: Pick<WorkDeps, "openLog">, run: WorkRun, step: Step): Promise<void> {
  const line = lineOf(run, step);
  if (line) await appendLine({ openLog }, run, line);
}

/** Says between which instants nobody worked on the run although somebody should have; nothing without such a gap. */
export async function logGap(
  deps: Pick<WorkDeps, "openLog">,
  run: WorkRun,
  { since, now }: { since: number | undefined; now: Date },
): Promise<void> {
  if (since === undefined) return;
  await appendLine(deps, run, ["warning", gapLine(since, now, "the run goes on with its next step")]);
}

export function gapLine(since: number, now: Date, whatNext: string): string {
  const [from, to] = [new Date(since), now].map((instant) => `${instant.toISOString().slice(0, 19)}Z`);
  return `The platform was away from ${from} to ${to}; ${whatNext}.`;
}

/** A line that is lost is no failure of the run. */
async function appendLine(
  { openLog }: Pick<WorkDeps, "openLog">,
  run: WorkRun,
  [level, message]: LogText,
): Promise<void> {
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
