// A run that waits says why, and for how many others: as a code, and in words for people. Pure.

import { z } from "@hono/zod-openapi";
import { WORK_LIMITS } from "../limits.ts";
import { orNull } from "../../../http/answer.ts";
import { hasEnded, isUnderWay } from "../next-state.ts";
import type { WorkRun } from "../run.ts";

export const WAIT_CODES = [
  "other_run",
  "lake_maintenance",
  "team_starts",
  "start",
  "no_capacity",
  "retry",
  "platform_away",
] as const;
export type WaitCode = (typeof WAIT_CODES)[number];

const instant = z.iso.datetime();
const PLACE = "Its place among what waits for the same; 1 is next. Null where there is no such line.";
const code = z
  .enum(WAIT_CODES)
  .openapi({
    description:
      "`other_run`: another run of its job or sync comes first. `lake_maintenance`: another maintenance of its lake " +
      "is at work. `team_starts`: other runs of its team start first. `start`: it starts next. `no_capacity`: no " +
      "container had room for it. `retry`: its last attempt failed. `platform_away`: nobody has started it, or looked at " +
      "it, when that was due.",
  });
const message = z.string().openapi({ description: "The same in words." });
const until = instant.nullable().openapi({ description: "When it is looked at again, where that is known." });
const runId = z.uuid().nullable().openapi({ description: "The run that it waits for." });

/** The wire fields of a run that waits; both are null for any other run. */
export const waitingFields = {
  place: z.number().int().nullable().openapi({ description: PLACE }),
  waitingFor: orNull(z.object({ code, message, runId, until }).openapi("WaitingFor")),
};
export const waitingFieldsInSnakeCase = {
  place: waitingFields.place,
  waiting_for: orNull(z.object({ code, message, run_id: runId, until }).openapi("WaitingForInSnakeCase")),
};

type WaitingFor = { code: WaitCode; message: string; runId: string | null; until: string | null };
export type Waiting = { place: number | null; waitingFor: WaitingFor | null };
export const NOT_WAITING: Waiting = { place: null, waitingFor: null };

export const inSnakeCase = ({ place, waitingFor }: Waiting) => {
  if (!waitingFor) return { place, waiting_for: null };
  const { runId: run_id, ...rest } = waitingFor;
  return { place, waiting_for: { ...rest, run_id } };
};

/** The runs before a run that has begun no attempt. */
export type Line = {
  /** How many runs of its job or sync come first, and the first of them. */
  ahead: number;
  aheadId: string | null;
  /** Another maintenance of its lake that is at work. */
  lakeRunId: string | null;
  /** How many of its team that may begin, and that nobody has woken, come first; null where it has been woken. */
  unwoken: number | null;
  /** How many of its team start now: each has a place among `startsPerTeamMax`. */
  starting: number;
  /** When it was woken, or the run before it ended, whichever was later; null for neither. */
  readyAt: string | null;
};

/** The fields by which a run is known to wait. */
export type Waited = Pick<WorkRun, "id" | "state" | "startedAtMs" | "refusals" | "claimedUntilMs" | "dueAtMs">;

/** Whether somebody has to ask for the line of this run to say why it waits. */
export const isInLine = (run: Pick<WorkRun, "state" | "startedAtMs">): boolean =>
  run.state === "queued" && run.startedAtMs === null;

export function waitingOf(run: Waited, line: Line | undefined, nowMs: number): Waiting {
  if (hasEnded(run)) return NOT_WAITING;
  if (isUnderWay(run)) return isLeft(run, nowMs) ? LEFT : NOT_WAITING;
  if (line?.aheadId) return inLine("other_run", line.ahead, line.aheadId);
  if (line?.lakeRunId) return inLine("lake_maintenance", 1, line.lakeRunId);
  if (line && line.unwoken !== null && line.starting + line.unwoken >= WORK_LIMITS.startsPerTeamMax)
    return inLine("team_starts", line.unwoken + 1, null);
  const readyAtMs = line?.readyAt == null ? 0 : Date.parse(line.readyAt);
  if (isLeft({ ...run, dueAtMs: Math.max(run.dueAtMs, readyAtMs) }, nowMs)) return LEFT;
  if (run.startedAtMs !== null) return waitUntilDue(run.refusals > 0 ? "no_capacity" : "retry", run);
  return inLine("start", 1, null);
}

/** Its step died, or nobody looked at it when that was due. */
const isLeft = ({ claimedUntilMs, dueAtMs }: Pick<Waited, "claimedUntilMs" | "dueAtMs">, nowMs: number): boolean =>
  claimedUntilMs === null ? nowMs - dueAtMs > WORK_LIMITS.wakeUpLostMs : claimedUntilMs <= nowMs;

const MESSAGES: Record<WaitCode, string> = {
  other_run: "It waits for another run of the same to end.",
  lake_maintenance: "It waits for another maintenance of its lake to end.",
  team_starts: "It waits for other runs of its team to start.",
  start: "It starts next.",
  no_capacity: "It waits for a container that has room.",
  retry: "Its last attempt failed; the next one comes after a while.",
  platform_away: "The platform was away, or what worked on it has died; it goes on with its next step.",
};

const inLine = (why: WaitCode, place: number, ofRun: string | null): Waiting => ({
  place,
  waitingFor: { code: why, message: MESSAGES[why], runId: ofRun, until: null },
});

const waitUntilDue = (why: WaitCode, { dueAtMs }: Waited): Waiting => ({
  place: null,
  waitingFor: { code: why, message: MESSAGES[why], runId: null, until: new Date(dueAtMs).toISOString() },
});

/** When somebody looks at it again is not known: that was due before. */
const LEFT: Waiting = {
  place: null,
  waitingFor: { code: "platform_away", message: MESSAGES.platform_away, runId: null, until: null },
};
