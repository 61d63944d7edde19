// The interface of a kind of work to the steps that all kinds share: its rows, its policy, and what its moves do.

import type { SQL } from "drizzle-orm";
import type { Needs } from "../../clients/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { syncRuns } from "../../platform/db/schema/schema.ts";
import { automationRuns } from "../../platform/db/schema/work-schema.ts";
import type { WakeUp } from "../../platform/messages.ts";
import type { Observation, Policy } from "./next-state.ts";
import type { WorkRun } from "./run.ts";

export type WorkDeps = Needs<"db" | "wakeUps" | "openLog">;

/** A step's observation of a run's attempt, with the progress that it read. */
export type StepOutcome<Progress = never> = { observation: Observation; progress?: Progress | undefined };

/** By kind, as their wake-up messages name it, the tables of runs: all have the columns that the rules are about. */
export const RUN_TABLES = { automation_run: automationRuns, sync_run: syncRuns } as const satisfies Partial<
  Record<WakeUp["kind"], unknown>
>;

export type RunKind = keyof typeof RUN_TABLES;
export type RunTable = (typeof RUN_TABLES)[RunKind];

export type RunRows<Run, Progress> = {
  table: RunTable;
  find(db: Db, teamId: string, id: string): Promise<Run | undefined>;
  /** True in SQL once the run may begin an attempt: no other that it must not work beside goes on, or comes before. */
  isTurnOf(run: Run): SQL;
  /** The condition on the table's own row. */
  isItsTurn: SQL;
  /** The columns that keep how far a run got. */
  progressColumns(progress: Progress): Record<string, unknown>;
};

export type WorkKind<Run extends WorkRun = WorkRun, Deps extends WorkDeps = WorkDeps, Progress = unknown> = {
  wakeUp: RunKind;
  runs: RunRows<Run, Progress>;
  policyOf(deps: Deps, run: Run): Policy;
  /** The id of what will work on an attempt; an engine job's, where the kind says no other. */
  newJobId?(run: Run, attempt: number): string;
  /**
   * Each may come again for the same attempt, and beside another that was too slow. What a user or a container can do
   * about is observed; what they throw is a step that broke, and comes again. `now` is by the clock of the step.
   */
  start(deps: Deps, run: Run, now: Date): Promise<StepOutcome<Progress>>;
  watch(deps: Deps, run: Run, now: Date): Promise<StepOutcome<Progress>>;
  stop(deps: Deps, run: Run, now: Date): Promise<StepOutcome<Progress>>;
  /** After the end has been recorded: what waited for it. Others make up for one that does not come. */
  ended?(deps: Deps, run: Run, now: Date): Promise<void>;
};
