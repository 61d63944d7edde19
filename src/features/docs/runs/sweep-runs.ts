import { LIMITS } from "../../../core/limits.ts";
import { openDb } from "../../../platform/db/client.ts";
import { openSandbox } from "../../../platform/sandbox/sandbox.ts";
import { deleteStaleKeys } from "../webhook/store-keys.ts";
import { endIfLost } from "./conduct-run.ts";
import { resultsPrefix } from "./result-key.ts";
import { deleteRun, selectEndedBefore, selectLost } from "./store-runs.ts";

/** Ends runs whose sandbox is gone or whose time is up; forgets old runs with their results, and old idempotency keys. */
export async function sweepDocRuns(env: Env, at: Date): Promise<{ docRunsEnded: number; docRunsForgotten: number }> {
  const db = openDb(env.DB);
  const before = (ms: number): string => new Date(at.getTime() - ms).toISOString();
  let ended = 0;
  for (const run of await selectLost(db, at.toISOString(), LIMITS.runsSweptMax)) {
    if (!(await endIfLost({ db }, run, at))) continue;
    ended++;
    // Its row has ended, so its key is dead and its next heartbeat ends it; told now it ends sooner.
    await openSandbox(env, run.teamId).cancelRun(run.id).catch(() => false);
  }
  const old = await selectEndedBefore(db, before(LIMITS.runKeptMs), LIMITS.runsForgottenPerSweepMax);
  for (const run of old) {
    // A run has at most as many results as one listing holds.
    const { objects } = await env.BUCKET.list({ prefix: resultsPrefix(run) });
    if (objects.length > 0) await env.BUCKET.delete(objects.map(({ key }) => key));
    await db.batch(deleteRun(db, run));
  }
  await deleteStaleKeys(db, before(LIMITS.idempotencyKeptMs), LIMITS.idempotencyKeysPerSweepMax);
  return { docRunsEnded: ended, docRunsForgotten: old.length };
}
