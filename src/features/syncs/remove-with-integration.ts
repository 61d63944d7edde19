// Syncs end when an integration that they read from, or write to, is deleted.

import type { Db } from "../../platform/db/client.ts";
import type { DeletedIntegration } from "../integrations/deletion/delete.ts";
import { finishRemovals } from "./finish-removals.ts";
import { removeSyncsOf } from "./store.ts";
import { cancelRunsAt, selectCancelledAt } from "./runs/store.ts";
import type { SyncRunDeps } from "./runs/step/run-deps.ts";

/**
 * Statements, not effects: they ride in the batch that deletes the integration.
 */
export function removeSyncsStatements(db: Db, { teamId, id, name }: DeletedIntegration, now: Date) {
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
  { teamId, id }: DeletedIntegration,
): Promise<void> {
  await deps.wakeUps.sendAll("sync_run", await selectCancelledAt(deps.db, teamId, id));
  await finishRemovals(deps, { teamId });
}
