// The state of a sync and of a run in one word each, with the tone it is shown in. Pure.

import type { components } from "../../api/schema.d.ts";
import type { Tone } from "../../ui/data/values.tsx";

type Schemas = components["schemas"];
export type SyncSummary = Schemas["SyncSummary"];
export type SyncRun = Schemas["SyncRun"];
export type RunState = SyncRun["details"]["state"];
export type TablePhase = Schemas["SyncRunTable"]["phase"];
export type StateOf = { tone: Tone; text: string };

const MINUTE = 60_000;
/** A start waits for a container at most; what waits longer will hardly begin by itself. */
const START_STUCK_MS = 10 * MINUTE;
/** A run is looked at again within four and a half minutes; one that is unchanged for longer does not move. */
const MOVE_STUCK_MS = 5 * MINUTE;

const HEALTH_STATES: Record<SyncSummary["health"], StateOf> = {
  ok: { tone: "good", text: "ok" },
  failing: { tone: "bad", text: "failing" },
  stale: { tone: "warn", text: "late" },
  never_ran: { tone: "quiet", text: "never ran" },
  paused: { tone: "quiet", text: "paused" },
};

const RUN_STATES: Record<RunState, StateOf> = {
  queued: { tone: "busy", text: "waiting" },
  starting: { tone: "busy", text: "starting" },
  running: { tone: "busy", text: "running" },
  succeeded: { tone: "good", text: "succeeded" },
  failed: { tone: "bad", text: "failed" },
  cancelled: { tone: "quiet", text: "cancelled" },
};

export const PHASE_STATES: Record<TablePhase, StateOf> = {
  waiting: { tone: "quiet", text: "waiting" },
  reading: { tone: "busy", text: "reading" },
  comparing: { tone: "busy", text: "comparing" },
  writing: { tone: "busy", text: "writing" },
  uploading: { tone: "busy", text: "uploading" },
  committing: { tone: "busy", text: "committing" },
  done: { tone: "good", text: "done" },
  failed: { tone: "bad", text: "failed" },
  skipped: { tone: "warn", text: "skipped" },
};

export const isUnderWay = (state: RunState): boolean =>
  state === "queued" || state === "starting" || state === "running";

/** How the sync as a whole does: its health, but for a run that has waited for its start far too long. */
export function stateOfSync({ health, last_run: run }: SyncSummary, now: number): StateOf {
  if (run && (run.state === "queued" || run.state === "starting") && now - Date.parse(run.created_at) > START_STUCK_MS)
    return { tone: "bad", text: "stuck" };
  return HEALTH_STATES[health];
}

/** `now` is compared with the last sign of life. A run that waits for its next try is not stuck. */
export function stateOfRun({ details, updated_at }: SyncRun, now: number): StateOf {
  const { state, next_try_at: nextTryAt, waiting_for: waitingFor } = details;
  if (isUnderWay(state) && nextTryAt === null && waitingFor === null && now - Date.parse(updated_at) > MOVE_STUCK_MS)
    return { tone: "bad", text: "stuck" };
  if (state === "succeeded" && details.warnings.length > 0) return { tone: "warn", text: "succeeded, with warnings" };
  return RUN_STATES[state];
}

/** How long it took, or takes so far, in milliseconds; null where it has not begun. */
export function durationOf({ details }: SyncRun, now: number): number | null {
  if (details.started_at === null) return null;
  return (details.ended_at ? Date.parse(details.ended_at) : now) - Date.parse(details.started_at);
}

export const SCHEDULE_WORDS: Record<SyncSummary["schedule"], string> = {
  hourly: "each hour",
  every_4_hours: "every 4 hours",
  every_6_hours: "every 6 hours",
  every_12_hours: "every 12 hours",
  daily: "each day",
  weekly: "each week",
};

export function scheduleText({
  schedule,
  cron,
  timezone,
}: Pick<SyncSummary, "schedule" | "cron" | "timezone">): string {
  return cron === null ? SCHEDULE_WORDS[schedule] : `at ${cron}${timezone ? ` (${timezone})` : ""}`;
}
