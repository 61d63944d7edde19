// Why runs wait, of those that somebody shows.

import { sql, type SQL } from "drizzle-orm";
import type { Needs } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import { isOfTypes } from "../../../platform/db/resource-types-in-sql.ts";
import type { RunKind } from "../kind.ts";
import { isInLine, NOT_WAITING, waitingOf, type Line, type Waited, type Waiting } from "./waiting.ts";

type LineOf = { table: SQL; isSame: SQL; isOnLake: SQL };

/** By kind: its table, and which other runs stand before a run `r`. */
const LINES: Record<RunKind, LineOf> = {
  automation_run: {
    table: sql`automation_runs`,
    isSame: sql`other.automation_id = r.automation_id`,
    isOnLake: sql`${isOfTypes(sql`r.resource_type`, ({ isAlone }) => isAlone)} and other.resource_id = r.resource_id
      and other.resource_type = r.resource_type and other.id <> r.id and other.ended_at is null
      and other.started_at is not null`,
  },
  sync_run: { table: sql`sync_runs`, isSame: sql`other.sync_id = r.sync_id`, isOnLake: sql`false` },
};

/** Why each of these runs waits, by its id; the database is asked where one of them stands in a line. */
export async function listWaiting(
  { db }: Needs<"db">,
  kind: RunKind,
  { runs, now }: { runs: readonly Waited[]; now: Date },
): Promise<(run: Pick<Waited, "id">) => Waiting> {
  const ids = runs.filter(isInLine).map(({ id }) => id);
  const lines = ids.length === 0 ? new Map<string, Line>() : await selectLines(db, LINES[kind], ids);
  const waiting = new Map(runs.map((run) => [run.id, waitingOf(run, lines.get(run.id), now.getTime())]));
  return ({ id }) => waiting.get(id) ?? NOT_WAITING;
}

async function selectLines(db: Db, { table, isSame, isOnLake }: LineOf, ids: string[]): Promise<Map<string, Line>> {
  const isAhead = sql`${isSame} and other.id <> r.id and other.ended_at is null
    and (other.started_at is not null or other.id < r.id)`;
  const rows = await db.all<Line & { id: string }>(sql`select r.id as "id",
      (select count(*) from ${table} other where ${isAhead}) as "ahead",
      (select other.id from ${table} other where ${isAhead}
        order by other.started_at is null, other.id limit 1) as "aheadId",
      (select other.id from ${table} other where ${isOnLake} limit 1) as "lakeRunId",
      iif(r.woken_at is null, (select count(*) from ${table} other where other.team_id = r.team_id
        and other.ended_at is null and other.started_at is null and other.woken_at is null
        and other.id < r.id), null) as "unwoken"
    from json_each(${JSON.stringify(ids)}) j join ${table} r on r.id = j.value`);
  return new Map(rows.map(({ id, ...line }) => [id, line]));
}
