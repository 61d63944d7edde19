// A job by its id, or the failure that says there is none.

import { isUuid } from "../../../core/ids.ts";
import { notFound } from "../../../core/problem.ts";
import type { Needs, OfTeam } from "../../../clients/context.ts";
import type { Job } from "./job.ts";
import { findJob, findMaintenanceJobOf } from "./store.ts";

/** A job of another team, and what is no id at all, answer exactly as one that does not exist. */
export async function requireJob({ scope, db }: Needs<"db"> & OfTeam, id: string): Promise<Job> {
  const job = isUuid(id) ? await findJob(db, scope.teamId, id.toLowerCase()) : undefined;
  if (!job) throw notFound("Job", id);
  return job;
}

/** The one job of a lake's maintenance of this kind. */
export const findMaintenanceJob = (
  { scope, db }: Needs<"db"> & OfTeam,
  lakeId: string,
  kind: NonNullable<Job["kind"]>,
): Promise<Job | undefined> => findMaintenanceJobOf(db, scope.teamId, lakeId, kind);
