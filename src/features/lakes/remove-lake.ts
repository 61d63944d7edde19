// The end of a lake, first move: the removal is recorded with the change that ends it.

import type { Db } from "../../platform/db/client.ts";
import type { LakeName } from "../../platform/lake/lake.ts";
import { endCollectionStatement } from "./plan-collection.ts";
import { insertRemoval } from "./store.ts";
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
