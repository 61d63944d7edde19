// What becomes of syncs when an integration they read from, or write to, is deleted.

import type { Db } from "../../platform/db/client.ts";
import { nudgeRuns, type RunName } from "./nudge.ts";
import { finishRemovals } from "./finish-removals.ts";
import { openRunMatter } from "./run-matter.ts";
import { removeSyncsOf } from "./store.ts";
import { cancelRunsAt } from "./store-runs.ts";

/** Statements, not effects: they ride in the batch that deletes the integration. The second returns the runs to nudge. */
export const removeSyncsStatements = (db: Db, teamId: string, integrationId: string, now: Date) =>
  [removeSyncsOf(db, teamId, integrationId, now.toISOString()), cancelRunsAt(db, teamId, integrationId, now.toISOString(), "The integration was deleted.")] as const;

/** Call it after the batch; what it leaves undone the sweep does. */
export async function finishSyncsRemoval(env: Env, teamId: string, cancelled: { id: string }[]): Promise<void> {
  await nudgeRuns(env, cancelled.map(({ id }): RunName => ({ teamId, id })));
  await finishRemovals(openRunMatter(env), { teamId });
}
