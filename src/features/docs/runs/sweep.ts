import { DOC_LIMITS } from "../limits.ts";
import { deleteStaleKeys } from "../webhook/store-keys.ts";
import { settleIfLost } from "./conduct.ts";
import { logAbsence } from "./events/log-absence.ts";
import { stageKey, testsKey } from "../builds/kept-stages.ts";
import { resultKey } from "../executions/result-key.ts";
import { deleteRuns, postponeRun, selectEndedBefore, selectExecutionNames, selectLost } from "./store.ts";
import type { Needs } from "../../../clients/context.ts";

/**
 * Ends runs whose sandbox is gone or whose time is up; forgets old runs with their results, and old idempotency keys.
 */
export async function sweepDocRuns(
  deps: Needs<"db" | "bucket" | "openSandbox" | "openLake" | "openLog">,
  at: Date,
): Promise<{ docRunsEnded: number; docRunsForgotten: number }> {
  const { db, bucket, openSandbox } = deps;
  const before = (ms: number): string => new Date(at.getTime() - ms).toISOString();
  let ended = 0;
  for (const run of await selectLost(db, at.toISOString(), DOC_LIMITS.runsSweptMax)) {
    // A lake that can't be asked keeps its own run waiting, and nobody else's: many such runs would fill each sweep.
    const settled = await settleIfLost(deps, run, at).catch(async (error: unknown): Promise<undefined> => {
      console.error(JSON.stringify({ event: "doc_run_not_settled", runId: run.id, cause: String(error) }));
      await postponeRun(db, run, at.toISOString());
    });
    if (settled === "renewed") await logAbsence(deps, run, at);
    if (settled !== "ended") continue;
    ended++;
    // Its row has ended, so its key is dead and its next heartbeat ends it; asked now it ends sooner.
    await openSandbox(run.teamId)
      .cancelRun(run.id)
      .catch(() => false);
  }
  const old = await selectEndedBefore(db, before(DOC_LIMITS.runKeptMs), DOC_LIMITS.runsForgottenPerSweepMax);
  for (let at = 0; at < old.length; at += RUNS_AT_ONCE) {
    const runs = old.slice(at, at + RUNS_AT_ONCE);
    // The results of all datasets are deleted, whether or not they were reported: one may have been sent without a
    // report.
    const names = await selectExecutionNames(db, runs);
    const keys = [
      ...names.flatMap(({ teamId, runId, id }) => [resultKey(teamId, runId, id), stageKey({ teamId, id: runId }, id)]),
      ...runs.map(testsKey),
    ];
    for (let from = 0; from < keys.length; from += KEYS_AT_ONCE)
      await bucket.delete(keys.slice(from, from + KEYS_AT_ONCE));
    await db.batch(deleteRuns(db, runs));
  }
  await deleteStaleKeys(db, before(DOC_LIMITS.idempotencyKeptMs), DOC_LIMITS.idempotencyKeysPerSweepMax);
  return { docRunsEnded: ended, docRunsForgotten: old.length };
}

/** A run has up to two hundred datasets. */
const RUNS_AT_ONCE = 50;
/** The bucket deletes at most this many keys in one call. */
const KEYS_AT_ONCE = 1_000;
