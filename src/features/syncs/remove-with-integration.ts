// What becomes of syncs when an integration they read from, or write to, is deleted.

import type { Db } from "../../platform/db/client.ts";
import type { RunName } from "../work-model/run.ts";
import { finishRemovals } from "./finish-removals.ts";
import { removeSyncsOf } from "./store.ts";
import { cancelRunsAt } from "./runs/store.ts";
import type { SyncRunDeps } from "./runs/step/run-deps.ts";

/**
 * Statements, not effects: they ride in the batch that deletes the integration. The second returns the runs to wake up.
 */
export function removeSyncsStatements(db: Db, teamId: string, { id, name }: { id: string; name: string }, now: Date) {
  const at = now.toISOString();
  const reasons = {
    source: `The integration ${name} (${id}), which it reads, was deleted.`,
    lake: `The lake ${name} (${id}), which it writes to, was deleted.`,
  };
  return [removeSyncsOf(db, teamId, id, at), cancelRunsAt(db, teamId, { integrationId: id, at, reasons })] as const;
}

/** Call it after the batch; what it leaves undone the sweep does. */
export async function finishSyncsRemoval(
  deps: Pick<SyncRunDeps, "db" | "wakeUps" | "openLake">,
  teamId: string,
  cancelled: { id: string }[],
): Promise<void> {
  await deps.wakeUps.sendAll(
    "sync_run",
    cancelled.map(({ id }): RunName => ({ teamId, id })),
  );
  await finishRemovals(deps, { teamId });
}
