import { PUBLICATION_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { HOUR_MS } from "./count-call.ts";
import { deleteCallSumsBefore } from "./store.ts";

/** Forgets a bounded number of old figures. */
export async function sweepPublicationRollups(
  { db }: Needs<"db">,
  at: Date,
): Promise<{ publicationRollupsForgotten: number }> {
  const before = Math.floor(at.getTime() / HOUR_MS) - PUBLICATION_LIMITS.rollupHoursKept;
  const { rollupsForgottenPerSweepMax: rowsMax } = PUBLICATION_LIMITS;
  return { publicationRollupsForgotten: await deleteCallSumsBefore(db, before, rowsMax) };
}
