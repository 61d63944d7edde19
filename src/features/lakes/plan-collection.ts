// The regular search for what a lake no longer needs: it begins with the lake, and ends with it.

import { and, eq } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { lakeCollections } from "../../platform/db/schema.ts";

/** Statements, not effects: they ride in the batch that makes, or ends, the lake. */
export const beginCollection = (db: Db, lake: { teamId: string; lakeId: string }, now: Date) =>
  db.insert(lakeCollections).values({ ...lake, dueAt: now.toISOString(), afterKey: null });

export const endCollection = (db: Db, { teamId, lakeId }: { teamId: string; lakeId: string }) =>
  db.delete(lakeCollections).where(and(eq(lakeCollections.teamId, teamId), eq(lakeCollections.lakeId, lakeId)));

type Nudges = Pick<Env, "NUDGES">;
const messageOf = ({ teamId, lakeId }: { teamId: string; lakeId: string }) => ({
  kind: "lake_collection",
  version: 1,
  teamId,
  id: lakeId,
});

/** A nudge that is lost is made up for by the sweep. */
export const nudgeCollection = ({ NUDGES }: Nudges, lake: { teamId: string; lakeId: string }): Promise<unknown> =>
  NUDGES.send(messageOf(lake));
export const nudgeCollections = ({ NUDGES }: Nudges, lakes: { teamId: string; lakeId: string }[]): Promise<unknown> =>
  NUDGES.sendBatch(lakes.map((lake) => ({ body: messageOf(lake) })));
