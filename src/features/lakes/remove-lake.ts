// The end of a lake, first move: the removal is recorded with the change that ends it.

import type { SQL } from "drizzle-orm";
import type { Needs } from "../../clients/context.ts";
import type { Db } from "../../platform/db/client.ts";
import type { LakeName } from "../../lake/lake.ts";
import { endCollectionStatement } from "./plan-collection.ts";
import { countRemovals, insertRemoval, insertRemovalsOf } from "./store.ts";
import { deleteSummary } from "./summaries/store.ts";

/**
 * Statements, not effects: they ride in the batch that deletes the integration. Send `lake_removal` after the batch;
 * the sweep does so where nobody has.
 */
export const removeLakeStatements = (db: Db, { teamId, lakeId }: LakeName, now: Date) => {
  const at = now.toISOString();
  return [
    insertRemoval(db, { lakeId, teamId, createdAt: at, nextTryAt: at }),
    endCollectionStatement(db, { teamId, lakeId }),
    deleteSummary(db, { teamId, lakeId }),
  ] as const;
};

/** Removes all lakes of a team at once, where `when` is true in SQL: once for each. Answers the removals. */
export const removeLakesStatement = (db: Db, teamId: string, now: Date, when?: SQL) =>
  insertRemovalsOf(db, teamId, now.toISOString(), when);

export const wakeLakeRemovals = ({ wakeUps }: Needs<"wakeUps">, removals: readonly LakeName[]): Promise<number> =>
  wakeUps.sendAll(
    "lake_removal",
    removals.map(({ teamId, lakeId }) => ({ teamId, id: lakeId })),
  );

/** How many lakes of a team are not gone yet. */
export const countLakeRemovals = (db: Db, teamId: string): Promise<number> => countRemovals(db, teamId);
