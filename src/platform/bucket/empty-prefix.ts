import { OBJECTS_PER_CALL_MAX, type Bucket } from "./bucket.ts";

/** Deletes a bounded number of objects, a thousand a step; says whether none is left. */
export async function emptyPrefix(bucket: Bucket, prefix: string, stepsMax: number): Promise<boolean> {
  for (let step = 0; step < stepsMax; step++) {
    const { objects } = await bucket.list({ prefix, limit: OBJECTS_PER_CALL_MAX });
    if (objects.length === 0) return true;
    await bucket.delete(objects.map(({ key }) => key));
  }
  return false;
}
