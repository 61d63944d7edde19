// The end of a team's unfinished uploads, with the team.

import { LIMITS } from "../../core/limits.ts";
import type { Needs } from "../../platform/context.ts";
import { deleteUpload, selectUploads } from "./store.ts";

/** Of a bounded number; says whether none is left. The parts first: a row that is gone would leave them for ever. */
export async function giveUploadsUp({ db, bucket }: Needs<"db" | "bucket">, teamId: string): Promise<boolean> {
  const uploads = await selectUploads(db, teamId, LIMITS.driveSweepRowsMax);
  for (const upload of uploads) {
    await bucket.abortUpload(upload);
    await deleteUpload(db, upload);
  }
  return uploads.length < LIMITS.driveSweepRowsMax;
}
