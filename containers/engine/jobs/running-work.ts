// An engine's jobs meet each kind of work by one interface, and begin it from the request.

import type { JobProgress } from "../../../kernel/jobs/job.ts";
import type { Work } from "../../../kernel/jobs/work.ts";
import type { JobPlatform } from "../platform/job-platform.ts";

/** The dependencies that a job gives its work. `report`: takes a line for people, which goes to the run's log too. */
export type JobContext = { platform: JobPlatform; signal: AbortSignal; report: (line: string) => void };

export type RunningWork = {
  /** Does the work. Rejects where it does not succeed: with a Failure, or the signal's reason once that is aborted. */
  run(): Promise<void>;
  /** The progress, for heartbeats; undefined for work that reports none. */
  progress(): JobProgress | undefined;
};

type WorkOf<Kind extends Work["kind"]> = Extract<Work, { kind: Kind }>;

/** For each kind, the function that makes its work. The work starts with `run`. */
export type WorkKinds = { [Kind in Work["kind"]]: (work: WorkOf<Kind>, context: JobContext) => Promise<RunningWork> };

export function beginWork<Kind extends Work["kind"]>(
  kinds: WorkKinds,
  work: WorkOf<Kind> & { kind: Kind },
  context: JobContext,
): Promise<RunningWork> {
  return kinds[work.kind](work, context);
}
