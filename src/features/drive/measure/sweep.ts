// The bytes of drives are measured by looking through their objects, some pages at a time.

import { DRIVE_LIMITS } from "../limits.ts";
import { OBJECTS_PER_CALL_MAX } from "../../../platform/bucket/bucket.ts";
import type { Needs } from "../../../clients/context.ts";
import { driveObjectsPrefix } from "../object-key.ts";
import { claimDueMeasures, saveBytes, saveLook, type DriveMeasure } from "./store.ts";

type Deps = Needs<"db" | "bucket">;

/** Goes on with those that are due, the longest due first. A larger drive goes on at the next tick. */
export async function sweepDriveMeasures(deps: Deps, at: Date): Promise<{ drivesMeasured: number }> {
  const nextAt = after(at, DRIVE_LIMITS.measureRetryMs);
  const rowsMax = DRIVE_LIMITS.measuresPerSweepMax;
  const due = await claimDueMeasures(deps.db, { at: at.toISOString(), nextAt, rowsMax });
  const outcomes = await Promise.allSettled(due.map((measure) => lookOn(deps, measure, at)));
  for (const outcome of outcomes)
    if (outcome.status === "rejected")
      console.error(JSON.stringify({ event: "drive_not_measured", cause: String(outcome.reason) }));
  return { drivesMeasured: outcomes.filter((outcome) => outcome.status === "fulfilled" && outcome.value).length };
}

const after = (at: Date, ms: number): string => new Date(at.getTime() + ms).toISOString();

/** Answers whether the look has ended. */
async function lookOn({ db, bucket }: Deps, measure: DriveMeasure, at: Date): Promise<boolean> {
  let { bytesPassed, afterKey } = measure;
  for (let page = 0; page < DRIVE_LIMITS.measurePagesMax; page++) {
    const { objects, isComplete } = await bucket.list({
      prefix: driveObjectsPrefix(measure.teamId),
      limit: OBJECTS_PER_CALL_MAX,
      after: afterKey ?? undefined,
    });
    bytesPassed = objects.reduce((sum, { size }) => sum + size, bytesPassed);
    afterKey = objects.at(-1)?.key ?? afterKey;
    if (!isComplete) continue;
    const next = { at: at.toISOString(), soon: after(at, DRIVE_LIMITS.measureEveryMs) };
    await saveBytes(db, measure, bytesPassed, { ...next, later: after(at, DRIVE_LIMITS.measureIdleMs) });
    return true;
  }
  await saveLook(db, measure, { bytesPassed, afterKey }, at.toISOString());
  return false;
}
