import { notFound } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { nudgeRun } from "./nudge.ts";
import { planRun, type Asked, type Run } from "./run.ts";
import { findActiveRun, insertRun } from "./store-runs.ts";
import type { Sync } from "./sync.ts";

const TRIES = 3;

/** Starts a run that somebody asked for; answers the run in progress where there is one. One that was cancelled is none, though the new one waits for its end. */
export async function startRun({ scope, db, env }: Needs<"scope" | "db" | "env">, sync: Sync, asked: Omit<Asked, "scheduledFor">): Promise<Pick<Run, "id">> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const run = planRun(sync, { ...asked, scheduledFor: null }, scope.now);
    const [inserted] = await insertRun(db, run);
    if (inserted) {
      await nudgeRun(env, run);
      return run;
    }
    const active = await findActiveRun(db, scope.teamId, sync.id);
    if (active) return active;
    // It ended between the two looks, or the sync is gone.
  }
  throw notFound("Sync", sync.id);
}
