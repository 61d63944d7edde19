// Runs that wait are listed with the reason why.

import { sql, type SQL } from "drizzle-orm";
import type { Needs } from "../../../clients/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import { isOfTypes } from "../../../platform/db/resource-types-in-sql.ts";
import type { RunKind } from "../kind.ts";
import { SUBJECTS } from "../runs/store-runs.ts";
import { isInLine, NOT_WAITING, waitingOf, type Line, type Waited, type Waiting } from "./waiting.ts";

type LineOf = { table: SQL; newestFirst: SQL; isOnLake: SQL };

/** By kind: its table, and which other runs of a lake stand before a run `r`. */
const LINES: Record<RunKind, LineOf> = {
  automation_run: {
    table: sql`automation_runs`,
    newestFirst: sql`other.created_at desc, other.id desc`,
    isOnLake: sql`${isOfTypes(sql`r.resource_type`, ({ isAlone }) => isAlone)} and other.resource_id = r.resource_id
      and other.resource_type = r.resource_type and other.id <> r.id and other.ended_at is null
      and other.started_at is not null`,
  },
  sync_run: { table: sql`sync_runs`, newestFirst: sql`other.id desc`, isOnLake: sql`false` },
};

/** Why each of these runs waits, by its id; the database is asked where one of them stands in a line. */
export async function listWaiting(
  { db }: Needs<"db">,
  kind: RunKind,
  { runs, now }: { runs: readonly Waited[]; now: Date },
): Promise<(run: Pick<Waited, "id">) => Waiting> {
  const ids = runs.filter(isInLine).map(({ id }) => id);
  const lines = ids.length === 0 ? new Map<string, Line>() : await selectLines(db, kind, ids);
  const waiting = new Map(runs.map((run) => [run.id, waitingOf(run, lines.get(run.id), now.getTime())]));
  return ({ id }) => waiting.get(id) ?? NOT_WAITING;
}

async function selectLines(db: Db, kind: RunKind, ids: string[]): Promise<Map<string, Line>> {
  const { table, newestFirst, isOnLake } = LINES[kind];
  const subject = SUBJECTS[kind];
  const asked = sql`json_each(${JSON.stringify(ids)}) j join ${table} r on r.id = j.value`;
  const isUnbegun = sql`other.ended_at is null and other.started_at is null`;
  const rows = await db.all<Line & { id: string }>(sql`with unwoken (id, ahead) as materialized (
      select other.id, row_number() over (partition by other.team_id order by other.id) - 1
      from ${table} other where other.team_id in (select r.team_id from ${asked}) and ${isUnbegun}
        and other.woken_at is null and other.cancel_requested_at is null
        and not exists (select 1 from ${table} first where ${isAheadOf(sql`first`, sql`other`, subject)}))
    select r.id as "id",
      (select count(*) from ${table} other where ${isAheadOf(sql`other`, sql`r`, subject)}) as "ahead",
      (select other.id from ${table} other where ${isAheadOf(sql`other`, sql`r`, subject)}
        order by other.started_at is null, other.id limit 1) as "aheadId",
      (select other.id from ${table} other where ${isOnLake} limit 1) as "lakeRunId",
      (select ahead from unwoken where unwoken.id = r.id) as "unwoken",
      (select count(*) from ${table} other where other.team_id = r.team_id and other.state = 'starting')
        + (select count(*) from ${table} other where other.team_id = r.team_id and ${isUnbegun}
            and other.woken_at is not null) as "starting",
      nullif(max(coalesce(r.woken_at, ''), coalesce((select other.ended_at from ${table} other
        where other.${subject} = r.${subject} and other.ended_at is not null order by ${newestFirst} limit 1), '')), '') as "readyAt"
    from ${asked}`);
  return new Map(rows.map(({ id, ...of }) => [id, of]));
}

/** True in SQL where `other` is of the same sync or job as `run` and comes first. */
const isAheadOf = (other: SQL, run: SQL, subject: SQL): SQL =>
  sql`${other}.${subject} = ${run}.${subject} and ${other}.id <> ${run}.id and ${other}.ended_at is null
    and (${other}.started_at is not null or ${other}.id < ${run}.id)`;
