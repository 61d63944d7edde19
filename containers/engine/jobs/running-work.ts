// What an engine's jobs are made of: each kind of work by one interface, begun from what was asked for.

import type { JobProgress } from "../contract/job.ts";
import type { Work } from "../contract/work.ts";
import type { JobPlatform } from "../platform/job-platform.ts";

/** What a job gives its work. `report`: takes a line for people, which goes to the run's log too. */
export type JobContext = { platform: JobPlatform; signal: AbortSignal; report: (line: string) => void };

export type RunningWork = {
  /** Rejects with why it did not end well: a Failure, or the signal's reason once that is aborted. */
  run(): Promise<void>;
  /** How far it is, for the heartbeats; undefined of work that does not say. */
  progress(): JobProgress | undefined;
};

type WorkOf<Kind extends Work["kind"]> = Extract<Work, { kind: Kind }>;

/** By kind, what begins a work of it. It does nothing yet. */
export type WorkKinds = { [Kind in Work["kind"]]: (work: WorkOf<Kind>, context: JobContext) => Promise<RunningWork> };

export function beginWork<Kind extends Work["kind"]>(
  kinds: WorkKinds,
  work: WorkOf<Kind> & { kind: Kind },
  context: JobContext,
): Promise<RunningWork> {
  return kinds[work.kind](work, context);
}
