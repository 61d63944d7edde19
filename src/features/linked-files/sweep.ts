import type { Needs } from "../../clients/context.ts";
import { LINKED_FILE_LIMITS } from "./limits.ts";
import { deleteLinkedFiles, selectEnded } from "./store.ts";

/** Deletes links that have ended, with their objects: these first, since a row that is gone would leave its object. */
export async function sweepLinkedFiles(
  { db, bucket }: Needs<"db" | "bucket">,
  at: Date,
): Promise<{ linkedFilesDeleted: number }> {
  const ended = await selectEnded(db, at.toISOString(), LINKED_FILE_LIMITS.deletedPerSweepMax);
  if (ended.length === 0) return { linkedFilesDeleted: 0 };
  await bucket.delete(ended.map(({ objectKey }) => objectKey));
  await deleteLinkedFiles(
    db,
    ended.map(({ id }) => id),
  );
  return { linkedFilesDeleted: ended.length };
}
