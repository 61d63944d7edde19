// Every statement about the maintenances of lakes: runs, whichever job they are of, or of none. A read takes the team
// first, but for lakes that carry theirs.

import { and, asc, desc, eq, inArray, isNull, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { automationRuns } from "../../../platform/db/schema/work-schema.ts";
import type { LakeName } from "../../../lake/lake.ts";
import type { Run } from "../runs/run.ts";
import { runOf, SHOWN_COLUMNS, WORK_ID } from "../runs/store-rows.ts";

/** A run with the engine's job of its last attempt, and how far it was when that was last recorded. */
export type MaintenanceRun = { run: Run; engineJobId: string | null; progress: string | null };

const isMaintenance = eq(automationRuns.resourceType, "lake_integration_maintenance");

/** The subject of a list of maintenances: a lake, or any lake of a team. */
export type MaintenanceOf = { teamId: string; lakeId?: string | undefined };
/** The newest, where it is not named: of a job, or of those that ended badly, if only these count. */
export type WhichMaintenance = {
  maintenanceId?: string | undefined;
  automationId?: string | undefined;
  isFailed?: boolean | undefined;
};

export async function findMaintenanceRun(
  db: Db,
  { teamId, lakeId }: MaintenanceOf,
  which: WhichMaintenance,
): Promise<MaintenanceRun | undefined> {
  const row = await db
    .select({ ...SHOWN_COLUMNS, progress: automationRuns.progress, engineJobId: WORK_ID })
    .from(automationRuns)
    .where(
      and(
        eq(automationRuns.teamId, teamId),
        isMaintenance,
        lakeId === undefined ? undefined : eq(automationRuns.resourceId, lakeId),
        which.maintenanceId === undefined ? undefined : eq(automationRuns.id, which.maintenanceId),
        which.automationId === undefined ? undefined : eq(automationRuns.automationId, which.automationId),
        which.isFailed ? inArray(automationRuns.state, ["failed", "timed_out"]) : undefined,
      ),
    )
    .orderBy(desc(automationRuns.createdAt), desc(automationRuns.id))
    .limit(1)
    .get();
  if (!row) return undefined;
  const { progress, engineJobId, ...run } = row;
  return { run: runOf(run), engineJobId, progress };
}

/** The maintenances of some lakes that have not ended; each lake's are in the order of their turns. */
export async function selectOpenMaintenances(db: Db, lakes: readonly LakeName[]): Promise<Run[]> {
  const rows = await db
    .select(SHOWN_COLUMNS)
    .from(automationRuns)
    .where(and(isOfLakes(lakes), isMaintenance, isNull(automationRuns.endedAt)))
    .orderBy(asc(isNull(automationRuns.startedAt)), asc(automationRuns.id));
  return rows.map((row) => runOf(row));
}

const isOfLakes = (lakes: readonly LakeName[]): SQL =>
  sql`(${automationRuns.teamId}, ${automationRuns.resourceId}) in
    (select value ->> 'teamId', value ->> 'lakeId' from json_each(${JSON.stringify(lakes)}))`;

/** The newest of each lake, or the newest that began and has ended. */
export async function selectNewestMaintenances(
  db: Db,
  lakes: readonly LakeName[],
  { isEnded }: { isEnded: boolean },
): Promise<Run[]> {
  const which = isEnded ? sql`and r.ended_at is not null and r.state <> 'skipped'` : sql``;
  const newest = sql`(select (select r.id from automation_runs r where r.team_id = lake.value ->> 'teamId'
      and r.resource_id = lake.value ->> 'lakeId' and r.resource_type = 'lake_integration_maintenance' ${which}
      order by r.created_at desc, r.id desc limit 1) from json_each(${JSON.stringify(lakes)}) lake)`;
  const rows = await db.select(SHOWN_COLUMNS).from(automationRuns).where(sql`${automationRuns.id} in ${newest}`);
  return rows.map((row) => runOf(row));
}

export type TableLeftAlone = { schema: string; name: string };

/** The tables that each of a lake's last so many maintenances that began and ended has left alone. */
export const selectLeftAlone = (db: Db, { teamId, lakeId }: LakeName, times: number): Promise<TableLeftAlone[]> =>
  db.all<TableLeftAlone>(sql`select seen.value ->> 'schema' as schema, seen.value ->> 'name' as name
    from (select id, progress from automation_runs where team_id = ${teamId} and resource_id = ${lakeId}
      and resource_type = 'lake_integration_maintenance' and ended_at is not null and state <> 'skipped'
      order by created_at desc, id desc limit ${times}) run
    join json_each(run.progress, '$.tables') seen where seen.value ->> 'state' = 'left_alone'
    group by 1, 2 having count(distinct run.id) = ${times} order by 1, 2`);
