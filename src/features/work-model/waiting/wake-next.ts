// The first wake-up messages of runs, in turns between teams: a team has a few runs among those that start, and its
// others wait without a message. So a burst of one team is a wait for that team alone.

import { sql, type SQL } from "drizzle-orm";
import { WORK_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import type { RunTable, WorkKind } from "../kind.ts";
import type { RunName } from "../run.ts";

type Line = Pick<WorkKind, "wakeUp"> & { runs: Pick<WorkKind["runs"], "table" | "isItsTurn"> };

/** Wakes the next runs of these teams, as far as each has places among the runs that start. Says how many. */
export async function wakeWaiting(
  { wakeUp, runs }: Line,
  { db, wakeUps }: Needs<"db" | "wakeUps">,
  { teamIds, at }: { teamIds: readonly string[]; at: Date },
): Promise<number> {
  if (teamIds.length === 0) return 0;
  const woken = await markWoken(db, runs, { teamIds: [...new Set(teamIds)], at: at.toISOString() });
  await wakeUps.sendAll(wakeUp, woken);
  return woken.length;
}

/** Teams with runs that nobody has woken yet. */
export const selectWaitingTeams = async (db: Db, table: RunTable, rowsMax: number): Promise<string[]> =>
  (
    await db.all<{ teamId: string }>(
      sql`select distinct team_id as "teamId" from ${table} where ${isUnwoken} limit ${rowsMax}`,
    )
  ).map(({ teamId }) => teamId);

/** By the columns' bare names: the conditions stand in selects of one table, and the indexes have them as they are. */
const isUnwoken = sql`ended_at is null and started_at is null and woken_at is null`;
const isWoken = sql`ended_at is null and started_at is null and woken_at is not null`;

/** Nobody marks a run twice: it is one statement. */
function markWoken(
  db: Db,
  { table, isItsTurn }: Line["runs"],
  { teamIds, at }: { teamIds: string[]; at: string },
): Promise<RunName[]> {
  const most = WORK_LIMITS.startsPerTeamMax;
  const next: SQL = sql`select id from ${table} where team_id = t.value and ${isUnwoken}
    and cancel_requested_at is null and ${isItsTurn} order by id limit ${most}`;
  const starting: SQL = sql`(select count(*) from ${table} where team_id = w.team_id and state = 'starting')
    + (select count(*) from ${table} where team_id = w.team_id and ${isWoken} and ${isItsTurn})`;
  return db.all<RunName>(sql`update ${table} set woken_at = ${at} where id in (
      select w.id from (
        select r.id, r.team_id, row_number() over (partition by r.team_id order by r.id) as place
        from json_each(${JSON.stringify(teamIds)}) t join ${table} r on r.id in (${next})) w
      where w.place <= ${most} - (${starting}))
    returning id, team_id as "teamId"`);
}
