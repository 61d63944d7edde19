// A run as all kinds of work have it: at its beginning, and between its row's columns and its state. Pure.

import type { automationRuns, CancelCode } from "../../platform/db/schema/work-schema.ts";
import type { RunState } from "./next-state.ts";

/** The name of a run, in its wake-up messages and elsewhere. */
export type RunName = { teamId: string; id: string };

/** A run of any kind, as far as its steps go. */
export type WorkRun = RunState &
  RunName & { cancelReason: string | null; cancelCode: CancelCode | null; revision: number };

const instantOf = (ms: number): string => new Date(ms).toISOString();
export const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instantOf(ms));
const msOrNull = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));

/** The columns that all tables of runs have. */
export type WorkRow = Pick<
  typeof automationRuns.$inferSelect,
  | "id"
  | "teamId"
  | "state"
  | "attempt"
  | "refusals"
  | "breaks"
  | "absences"
  | "workId"
  | "fence"
  | "dueAt"
  | "claimedUntil"
  | "cancelRequestedAt"
  | "cancelReason"
  | "cancelCode"
  | "deadlineAt"
  | "error"
  | "revision"
  | "startedAt"
>;

/** The instants that a run's row has beside its state. */
type KeptInstants = Pick<typeof automationRuns.$inferSelect, "endedAt" | "createdAt" | "updatedAt">;

/** A run of any kind as it is kept, without what it is a run of. */
export type KeptRun = WorkRun & KeptInstants;

/** The columns that a step may change. */
export const stateColumns = (run: RunState) => ({
  state: run.state,
  attempt: run.attempt,
  refusals: run.refusals,
  breaks: run.breaks,
  absences: run.absences,
  workId: run.workId,
  fence: run.fence,
  error: run.error,
  dueAt: instantOf(run.dueAtMs),
  claimedUntil: instantOrNull(run.claimedUntilMs),
  startedAt: instantOrNull(run.startedAtMs),
  deadlineAt: instantOf(run.deadlineAtMs),
});

/** All columns of a new run's row that all tables of runs have. */
export const newRowOf = (run: KeptRun) => ({
  id: run.id,
  teamId: run.teamId,
  ...stateColumns(run),
  cancelRequestedAt: null,
  cancelReason: run.cancelReason,
  cancelCode: run.cancelCode,
  wokenAt: null,
  progress: null,
  revision: run.revision,
  endedAt: run.endedAt,
  createdAt: run.createdAt,
  updatedAt: run.updatedAt,
});

export const keptRunOf = (row: WorkRow & KeptInstants): KeptRun => {
  const { endedAt, createdAt, updatedAt } = row;
  return { ...workRunOf(row), endedAt, createdAt, updatedAt };
};

export const workRunOf = (row: WorkRow): WorkRun => ({
  id: row.id,
  teamId: row.teamId,
  state: row.state,
  attempt: row.attempt,
  refusals: row.refusals,
  breaks: row.breaks,
  absences: row.absences,
  workId: row.workId,
  fence: row.fence,
  error: row.error,
  dueAtMs: Date.parse(row.dueAt),
  claimedUntilMs: msOrNull(row.claimedUntil),
  startedAtMs: msOrNull(row.startedAt),
  deadlineAtMs: Date.parse(row.deadlineAt),
  cancelRequested: row.cancelRequestedAt !== null,
  cancelReason: row.cancelReason,
  cancelCode: row.cancelCode,
  revision: row.revision,
});

/** A run at its beginning, due at once. */
export const newWorkRun = ({ id, teamId }: RunName, now: Date, runMsMax: number): KeptRun => ({
  id,
  teamId,
  state: "queued",
  attempt: 0,
  refusals: 0,
  breaks: 0,
  absences: 0,
  workId: null,
  fence: null,
  error: null,
  dueAtMs: now.getTime(),
  claimedUntilMs: null,
  startedAtMs: null,
  deadlineAtMs: now.getTime() + runMsMax,
  cancelRequested: false,
  cancelReason: null,
  cancelCode: null,
  revision: 0,
  endedAt: null,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
});
