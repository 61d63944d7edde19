// The end of a team's unfinished uploads, with the team.

import { DRIVE_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import { deleteUpload, selectUploads } from "./store.ts";

/**
 * Gives a bounded number of uploads up; says whether none is left. Their parts go first: a row that is gone would leave
 * them for ever.
 */
export async function giveUploadsUp({ db, bucket }: Needs<"db" | "bucket">, teamId: string): Promise<boolean> {
  const uploads = await selectUploads(db, teamId, DRIVE_LIMITS.sweepRowsMax);
  for (const upload of uploads) {
    await bucket.abortUpload(upload);
    await deleteUpload(db, upload);
  }
  return uploads.length < DRIVE_LIMITS.sweepRowsMax;
}
