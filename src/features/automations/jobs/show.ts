import type { Needs, OfTeam } from "../../../platform/context.ts";
import { findUserNames } from "../../teams/users/names.ts";
import { selectLastRuns } from "../runs/store.ts";
import { lastRunOf } from "../runs/wire-mapping.ts";
import { shownJob, type AutomationJob, type Job } from "./job.ts";

/** Jobs of one team as the API shows them, each with its last run and its owner's name. */
export async function showJobs({ scope, db }: Needs<"db"> & OfTeam, jobs: Job[]): Promise<AutomationJob[]> {
  const [runs, names] = await Promise.all([
    selectLastRuns(
      db,
      scope.teamId,
      jobs.map(({ id }) => id),
    ),
    findUserNames({ scope, db }, [...new Set(jobs.map(({ ownerId }) => ownerId))]),
  ]);
  return jobs.map((job) => {
    const run = runs.get(job.id);
    return shownJob(job, { lastRun: run ? lastRunOf(run) : null, ownerName: names.get(job.ownerId) ?? null });
  });
}

export const showJob = async (ctx: Needs<"db"> & OfTeam, job: Job): Promise<AutomationJob> =>
  (await showJobs(ctx, [job]))[0]!;
