// A job whose runs cannot succeed until somebody acts pauses itself: one run says why, instead of one each minute.

import type { Needs } from "../../../clients/context.ts";
import type { Obstacle } from "../resources/kind.ts";
import type { Run } from "../runs/run.ts";
import { pauseJobRow } from "./store.ts";

/** Leaves alone a job that is disabled, that runs by hand alone, and that has another owner than the run by now. */
export const pauseJob = async ({ db }: Needs<"db">, run: Run, { pausedReason }: Obstacle, now: Date): Promise<void> =>
  void (await pauseJobRow(db, run, pausedReason, now.toISOString()));
