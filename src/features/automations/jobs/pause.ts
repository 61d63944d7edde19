// A job whose runs cannot succeed until somebody acts pauses itself: one run says why, instead of one each minute.

import type { Needs } from "../../../platform/context.ts";
import { requireDoc } from "../../docs/find.ts";
import type { Run } from "../runs/run.ts";
import type { Job } from "./job.ts";
import { pauseJobRow } from "./store.ts";

/** What stands in the way of every run: its code is shown with the job, its sentence with the run. */
export type Obstacle = { pausedReason: NonNullable<Job["pausedReason"]>; error: string };

/** The obstacle that is a doc's job's archived doc; undefined where there is none. */
export async function findArchivedDoc(
  { db }: Needs<"db">,
  { teamId, resourceType, resourceId }: Run,
): Promise<Obstacle | undefined> {
  if (resourceType !== "doc") return undefined;
  const { id, name, archived_at: archivedAt } = await requireDoc({ db, scope: { teamId } }, resourceId);
  if (archivedAt === null) return undefined;
  const error = `The doc ${name} (${id}), which this job runs, is archived. Restore it and enable the job, or delete the job.`;
  return { pausedReason: "doc_archived", error };
}

/** Leaves alone a job that is disabled, that runs by hand alone, and that has another owner than the run by now. */
export const pauseJob = async ({ db }: Needs<"db">, run: Run, { pausedReason }: Obstacle, now: Date): Promise<void> =>
  void (await pauseJobRow(db, run, pausedReason, now.toISOString()));
