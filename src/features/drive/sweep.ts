// The drive's part of a cron tick. Each step may be done twice, or by two ticks at once.

import { DRIVE_LIMITS } from "./limits.ts";
import type { Db } from "../../platform/db/client.ts";
import type { Needs } from "../../clients/context.ts";
import { objectKeyOf } from "./object-key.ts";
import {
  deleteTemporaryFile,
  deleteUpload,
  dropLongPath,
  selectExpiredFiles,
  selectExpiredUploads,
  selectUncheckedPaths,
  settleLongPath,
} from "./store.ts";

type Deps = Needs<"db" | "bucket">;
type Counts = { temporaryFilesRemoved: number; uploadsGivenUp: number; longPathsForgotten: number };

/**
 * Removes temporary files whose time is over, unfinished uploads, and long paths under which nothing came; none waits
 * for the others' luck.
 */
export async function sweepDrive(deps: Deps, at: Date): Promise<Counts> {
  const instant = at.toISOString();
  const [files, uploads, paths] = await Promise.allSettled([
    removeTemporaryFiles(deps, instant),
    giveUploadsUp(deps, instant),
    checkLongPaths(deps, instant),
  ]);
  return {
    temporaryFilesRemoved: countOf(files),
    uploadsGivenUp: countOf(uploads),
    longPathsForgotten: countOf(paths),
  };
}

function countOf(outcome: PromiseSettledResult<number>): number {
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

async function removeTemporaryFiles({ db, bucket }: Deps, at: string): Promise<number> {
  const expired = await selectExpiredFiles(db, at, DRIVE_LIMITS.sweepRowsMax);
  const keys = await Promise.all(expired.map(async ({ teamId, path }) => (await objectKeyOf(teamId, path)).key));
  await bucket.delete(keys);
  // The objects first: a row that is gone would leave its object for ever.
  await runAll(
    db,
    expired.map((file) => deleteTemporaryFile(db, file)),
  );
  return expired.length;
}

async function giveUploadsUp({ db, bucket }: Deps, at: string): Promise<number> {
  const expired = await selectExpiredUploads(db, at, DRIVE_LIMITS.sweepRowsMax);
  const aborted = await Promise.all(
    expired.map(async (upload) => {
      // One that can't be dropped now stays for the next tick, and holds up no other.
      const cause = await bucket.abortUpload(upload).then(() => undefined, String);
      if (cause !== undefined)
        console.error(
          JSON.stringify({ event: "upload_not_dropped", teamId: upload.teamId, uploadId: upload.id, cause }),
        );
      return cause === undefined;
    }),
  );
  const gone = expired.filter((_, index) => aborted[index]);
  await runAll(
    db,
    gone.map((upload) => deleteUpload(db, upload)),
  );
  return gone.length;
}

async function checkLongPaths({ db, bucket }: Deps, at: string): Promise<number> {
  const unchecked = await selectUncheckedPaths(db, at, DRIVE_LIMITS.sweepRowsMax);
  const isThere = await Promise.all(
    unchecked.map(async ({ objectKey }) => (await bucket.find(objectKey)) !== undefined),
  );
  await runAll(
    db,
    unchecked.map((row, index) => (isThere[index] ? settleLongPath(db, row) : dropLongPath(db, row))),
  );
  return isThere.filter((there) => !there).length;
}

/** An empty batch is refused. */
async function runAll(db: Db, statements: Parameters<Db["batch"]>[0][number][]): Promise<void> {
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
}
