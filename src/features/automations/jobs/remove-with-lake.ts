// The maintenance jobs of a lake end when the lake is deleted.

import type { Db } from "../../../platform/db/client.ts";
import { cancelRunsOf } from "../cancelling/store.ts";
import { deleteJobsOfLake } from "./store.ts";

const CANCELLED = { code: "integration_deleted", reason: "The lake was deleted." } as const;

/**
 * Statements, not effects: they ride in the batch that deletes the lake.
 */
export const removeJobsStatements = (db: Db, { teamId, id: lakeId }: { teamId: string; id: string }, now: Date) =>
  [
    deleteJobsOfLake(db, teamId, lakeId),
    cancelRunsOf(db, teamId, { of: { lakeId }, ...CANCELLED, at: now.toISOString() }),
  ] as const;
