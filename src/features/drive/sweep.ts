// What the clock does for the drive. Each step may be done twice, or by two ticks at once.

import { LIMITS } from "../../core/limits.ts";
import { openDb, type Db } from "../../platform/db/client.ts";
import { abortInStore } from "./multipart-upload.ts";
import { objectKeyOf } from "./object-key.ts";
import { deleteTemporaryFile, deleteUpload, dropLongPath, selectExpiredFiles, selectExpiredUploads, selectUncheckedPaths, settleLongPath } from "./store.ts";

type Matter = Pick<Env, "DB" | "BUCKET">;
type Counts = { temporaryFilesRemoved: number; uploadsGivenUp: number; longPathsForgotten: number };

/** Removes temporary files whose time is over, unfinished uploads, and long paths under which nothing came. */
export async function sweepDrive(env: Matter, at: Date): Promise<Counts> {
  const db = openDb(env.DB);
  const instant = at.toISOString();
  return {
    temporaryFilesRemoved: await removeTemporaryFiles(db, env, instant),
    uploadsGivenUp: await giveUploadsUp(db, env, instant),
    longPathsForgotten: await checkLongPaths(db, env, instant),
  };
}

async function removeTemporaryFiles(db: Db, env: Matter, at: string): Promise<number> {
  const expired = await selectExpiredFiles(db, at, LIMITS.driveSweepRowsMax);
  const keys = await Promise.all(expired.map(async ({ teamId, path }) => (await objectKeyOf(teamId, path)).key));
  if (keys.length > 0) await env.BUCKET.delete(keys);
  // The objects first: a row that is gone would leave its object for ever.
  await runAll(db, expired.map((file) => deleteTemporaryFile(db, file)));
  return expired.length;
}

async function giveUploadsUp(db: Db, env: Matter, at: string): Promise<number> {
  const expired = await selectExpiredUploads(db, at, LIMITS.driveSweepRowsMax);
  for (const upload of expired) await abortInStore(env, upload);
  await runAll(db, expired.map((upload) => deleteUpload(db, upload)));
  return expired.length;
}

async function checkLongPaths(db: Db, env: Matter, at: string): Promise<number> {
  const unchecked = await selectUncheckedPaths(db, at, LIMITS.driveSweepRowsMax);
  const isThere = await Promise.all(unchecked.map(async ({ objectKey }) => (await env.BUCKET.head(objectKey)) !== null));
  await runAll(db, unchecked.map((row, index) => (isThere[index] ? settleLongPath(db, row) : dropLongPath(db, row))));
  return isThere.filter((there) => !there).length;
}

/** An empty batch is refused. */
async function runAll(db: Db, statements: Parameters<Db["batch"]>[0][number][]): Promise<void> {
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
}
