// The end of a lake, first move: the removal is recorded with the change that ends it, and nudged.

import type { Db } from "../../platform/db/client.ts";
import { endCollectionStatement } from "./plan-collection.ts";
import { insertRemoval } from "./store.ts";

export type LakeName = { teamId: string; lakeId: string };

/**
 * Statements, not effects: they ride in the batch that deletes the integration. The sweep nudges when nobody else does.
 */
export const removeLakeStatements = (db: Db, { teamId, lakeId }: LakeName, now: Date) => {
  const at = now.toISOString();
  return [
    insertRemoval(db, { lakeId, teamId, createdAt: at, nextTryAt: at }),
    endCollectionStatement(db, { teamId, lakeId }),
  ] as const;
};

/** Call it after the batch; a nudge that is lost is made up for within a minute. */
export const nudgeLakeRemoval = (env: Pick<Env, "NUDGES">, { teamId, lakeId }: LakeName): Promise<unknown> =>
  env.NUDGES.send({ kind: "lake_removal", version: 1, teamId, id: lakeId });
