// The regular search for what a lake no longer needs: it begins with the lake, and ends with it.

import type { Db } from "../../platform/db/client.ts";
import { deleteCollection, insertCollection } from "./store.ts";

/** Statements, not effects: they ride in the batch that makes, or ends, the lake. */
export const beginCollectionStatement = (db: Db, lake: { teamId: string; lakeId: string }, now: Date) =>
  insertCollection(db, { ...lake, dueAt: now.toISOString(), afterKey: null, tally: null });

export const endCollectionStatement = (db: Db, { teamId, lakeId }: { teamId: string; lakeId: string }) =>
  deleteCollection(db, teamId, lakeId);
