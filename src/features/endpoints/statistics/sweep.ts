import { ENDPOINT_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { HOUR_MS } from "./count-call.ts";
import { deleteCallSumsBefore } from "./store.ts";

/** Forgets a bounded number of old figures. */
export async function sweepEndpointRollups(
  { db }: Needs<"db">,
  at: Date,
): Promise<{ endpointRollupsForgotten: number }> {
  const before = Math.floor(at.getTime() / HOUR_MS) - ENDPOINT_LIMITS.rollupHoursKept;
  const { rollupsForgottenPerSweepMax: rowsMax } = ENDPOINT_LIMITS;
  return { endpointRollupsForgotten: await deleteCallSumsBefore(db, before, rowsMax) };
}
