// Every statement about syncs. A read takes the team first, so none can forget it; only the tick and the sweep look
// across teams.

import { and, asc, eq, exists, inArray, isNull, lt, lte, not, or, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { syncRuns, syncs } from "../../platform/db/schema/schema.ts";
import type { Sync } from "./sync.ts";

/** A sync that is planned only, or being removed, is not shown. */
const isThere = inArray(syncs.status, ["active", "paused"]);

export const findSync = (db: Db, teamId: string, id: string): Promise<Sync | undefined> =>
  db
    .select()
    .from(syncs)
    .where(and(eq(syncs.teamId, teamId), eq(syncs.id, id), isThere))
    .get();

/** All of an integration, oldest first. */
export const findSyncsOf = (db: Db, teamId: string, sourceId: string): Promise<Sync[]> =>
  db
    .select()
    .from(syncs)
    .where(and(eq(syncs.teamId, teamId), eq(syncs.sourceId, sourceId), isThere))
    .orderBy(asc(syncs.createdAt), asc(syncs.id));

export type Destination = Pick<Sync, "sourceId" | "lakeId" | "destSchema">;

export const findSyncAt = (
  db: Db,
  teamId: string,
  { sourceId, lakeId, destSchema }: Destination,
): Promise<Sync | undefined> =>
  db
    .select()
    .from(syncs)
    .where(
      and(
        eq(syncs.teamId, teamId),
        eq(syncs.sourceId, sourceId),
        eq(syncs.lakeId, lakeId),
        sql`${syncs.destSchema} = ${destSchema} collate nocase`,
        isThere,
      ),
    )
    .get();

export const countSyncs = (db: Db, teamId: string): Promise<number> =>
  db.$count(syncs, and(eq(syncs.teamId, teamId), isThere));

export const insertSync = (db: Db, sync: Sync) => db.insert(syncs).values(sync);

/** A sync before it owns its lake tables. Where it never comes to that, the sweep frees what it has claimed. */
export const plannedOf = (sync: Sync): Sync => ({
  ...sync,
  status: "planned",
  nextRunAt: null,
  revision: sync.revision - 1,
});

/**
 * Makes a planned sync one that is there. Returns the row, or nothing where its destination has been taken in between.
 */
export const activateSync = (db: Db, { id: _, teamId: __, ...after }: Sync, planned: Sync) =>
  db
    .update(syncs)
    .set(after)
    .where(and(isVersion(planned), not(isTaken(planned))))
    .returning({ id: syncs.id });

const isTaken = ({ teamId, sourceId, lakeId, destSchema }: Sync): SQL =>
  sql`exists (select 1 from syncs other where other.team_id = ${teamId} and other.source_id = ${sourceId}
    and other.lake_id = ${lakeId} and other.dest_schema = ${destSchema} collate nocase
    and other.status in ('active', 'paused'))`;

/** True in SQL while a planned sync can become one that is there. */
export const isActivatable = (planned: Sync): SQL => sql`${hasSyncVersion(planned)} and not ${isTaken(planned)}`;

/** Returns the row, or nothing where another change has come in between. */
export const updateSyncRow = (db: Db, before: Sync, { id: _, teamId: __, ...after }: Sync) =>
  db.update(syncs).set(after).where(isVersion(before)).returning({ id: syncs.id });

/**
 * True in SQL while this version is the one that is kept. What rides with a change asks for the version before it, and
 * comes first: the version after it is there as well where somebody else's change has won.
 */
export const hasSyncVersion = ({ teamId, id, revision }: Sync): SQL =>
  sql`exists (select 1 from ${syncs} where team_id = ${teamId} and id = ${id} and revision = ${revision})`;

const isVersion = ({ teamId, id, revision }: Sync): SQL =>
  and(eq(syncs.teamId, teamId), eq(syncs.id, id), eq(syncs.revision, revision))!;

// ── The schedule ───────────────────────────────────────────────────────────────────────────────────────────────────

export type DueSync = Pick<Sync, "id" | "teamId" | "schedule" | "cron" | "timezone"> & { nextRunAt: string };

/**
 * The due syncs of all teams, which take turns, each with its longest due first. A sync that still runs is not due: the
 * time it misses is its next once it has ended.
 */
export async function selectDue(
  db: Db,
  at: string,
  { rowsMax, perTeamMax }: { rowsMax: number; perTeamMax: number },
): Promise<DueSync[]> {
  const running = db
    .select({ one: sql`1` })
    .from(syncRuns)
    .where(and(eq(syncRuns.syncId, syncs.id), isNull(syncRuns.endedAt)));
  const due = db
    .select({
      id: syncs.id,
      teamId: syncs.teamId,
      schedule: syncs.schedule,
      cron: syncs.cron,
      timezone: syncs.timezone,
      nextRunAt: syncs.nextRunAt,
      place: sql<number>`row_number() over (partition by ${syncs.teamId} order by ${syncs.nextRunAt})`.as("place"),
    })
    .from(syncs)
    .where(and(lte(syncs.nextRunAt, at), eq(syncs.status, "active"), not(exists(running))))
    .as("due");
  const rows = await db
    .select()
    .from(due)
    .where(lte(due.place, perTeamMax))
    .orderBy(asc(due.place), asc(due.nextRunAt))
    .limit(rowsMax);
  return rows.flatMap(({ nextRunAt, place: _, ...row }) => (nextRunAt === null ? [] : [{ ...row, nextRunAt }]));
}

/** One due sync; nothing where it is not due, or runs. */
export const findDue = async (db: Db, teamId: string, id: string, at: string): Promise<DueSync | undefined> => {
  const sync = await findSync(db, teamId, id);
  return sync?.status === "active" && sync.nextRunAt !== null && sync.nextRunAt <= at
    ? { ...sync, nextRunAt: sync.nextRunAt }
    : undefined;
};

/** A tick's claim of one sync: the tick that was seen, the one after it, and the run of it. */
export type TickClaim = { syncId: string; runId: string; seen: string; next: string };

/** Moves each claimed sync on to its next tick, if the run of this one is recorded: `insertTickRuns` goes before it. */
export function advanceDue(db: Db, claims: TickClaim[]) {
  const ofClaim = (field: keyof TickClaim): SQL =>
    sql`(select value ->> ${field} from json_each(${JSON.stringify(claims)}) where value ->> 'syncId' = ${syncs.id})`;
  const recorded = db
    .select({ one: sql`1` })
    .from(syncRuns)
    .where(and(eq(syncRuns.syncId, syncs.id), eq(syncRuns.scheduledFor, syncs.nextRunAt)));
  const claimed = claims.map(({ syncId }) => syncId);
  return db
    .update(syncs)
    .set({ nextRunAt: ofClaim("next") })
    .where(
      and(
        sql`${syncs.id} in (select value from json_each(${JSON.stringify(claimed)}))`,
        eq(syncs.nextRunAt, ofClaim("seen")),
        exists(recorded),
      ),
    );
}

// ── The end ────────────────────────────────────────────────────────────────────────────────────────────────────────

const removed = (at: string) => ({
  status: "removing" as const,
  nextRunAt: null,
  revision: sql`${syncs.revision} + 1`,
  updatedAt: at,
});

/** Returns the row, or nothing where another change has come in between. */
export const removeSync = (db: Db, sync: Sync, at: string) =>
  db.update(syncs).set(removed(at)).where(isVersion(sync)).returning({ id: syncs.id });

/** Everything that reads from, or writes to, an integration. */
export const removeSyncsOf = (db: Db, teamId: string, integrationId: string, at: string) =>
  db
    .update(syncs)
    .set(removed(at))
    .where(
      and(
        eq(syncs.teamId, teamId),
        sql`(${syncs.sourceId} = ${integrationId} or ${syncs.lakeId} = ${integrationId})`,
        isThere,
      ),
    );

/** In the words of the index `syncs_unseen`, which serves no statuses that are bound: a sweep would read every sync. */
const isUnseen = sql`${syncs.status} in ('planned', 'removing')`;

export type RemovingSync = Pick<Sync, "id" | "teamId" | "lakeId">;

/**
 * Syncs under removal that no run holds back; and, where a sweep asks, those that were planned before `plannedBefore`
 * and no more.
 */
export function selectRemoving(
  db: Db,
  rowsMax: number,
  which: { teamId: string } | { plannedBefore: string },
): Promise<RemovingSync[]> {
  const running = db
    .select({ one: sql`1` })
    .from(syncRuns)
    .where(and(eq(syncRuns.syncId, syncs.id), isNull(syncRuns.endedAt)));
  const isRemoving = eq(syncs.status, "removing");
  const isWanted =
    "teamId" in which
      ? and(isRemoving, eq(syncs.teamId, which.teamId))
      : and(isUnseen, or(isRemoving, and(eq(syncs.status, "planned"), lt(syncs.updatedAt, which.plannedBefore))));
  return db
    .select({ id: syncs.id, teamId: syncs.teamId, lakeId: syncs.lakeId })
    .from(syncs)
    .where(and(isWanted, not(exists(running))))
    .orderBy(asc(syncs.updatedAt))
    .limit(rowsMax);
}

/** Only of one that nobody sees. */
export const deleteSyncRow = (db: Db, { teamId, id }: Pick<Sync, "teamId" | "id">) =>
  db.delete(syncs).where(and(eq(syncs.teamId, teamId), eq(syncs.id, id), not(isThere)));
