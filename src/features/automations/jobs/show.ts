import type { Needs } from "../../../clients/context.ts";
import { findUserNames } from "../../teams/users/names.ts";
import type { OutputDeps } from "../../docs/executions/read-output.ts";
import { mayReadOutput, withoutReason } from "../logs/read-output.ts";
import type { Run } from "../runs/run.ts";
import { selectLastRuns } from "../runs/store.ts";
import { lastRunOf } from "../runs/wire-mapping.ts";
import type { LastRun } from "../runs/wire-schema.ts";
import { shownJob, type AutomationJob, type Job } from "./job.ts";

/** Jobs of one team as the API shows them, each with its last run and its owner's name. */
export async function showJobs(ctx: Needs<"db"> & OutputDeps, jobs: Job[]): Promise<AutomationJob[]> {
  const { scope, db } = ctx;
  const [runs, names] = await Promise.all([
    selectLastRuns(
      db,
      scope.teamId,
      jobs.map(({ id }) => id),
    ),
    findUserNames(
      { scope, db },
      jobs.map(({ ownerId }) => ownerId),
    ),
  ]);
  return Promise.all(
    jobs.map(async (job) => {
      const run = runs.get(job.id);
      const lastRun = run ? await showLastRun(ctx, run) : null;
      return shownJob(job, { lastRun, ownerName: names.get(job.ownerId) ?? null });
    }),
  );
}

const showLastRun = async (ctx: OutputDeps, run: Run): Promise<LastRun> =>
  (await mayReadOutput(ctx, run)) ? lastRunOf(run) : withoutReason(lastRunOf(run));

export const showJob = async (ctx: Needs<"db"> & OutputDeps, job: Job): Promise<AutomationJob> =>
  (await showJobs(ctx, [job]))[0]!;
