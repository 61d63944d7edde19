// The overview of syncs is read in one statement. `listSyncs` reads those of a team, the sweep of alerts those of many.

import { and, asc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "../../../platform/db/client.ts";
import { integrations, syncRuns, syncs } from "../../../platform/db/schema/schema.ts";
import type { SyncFacts } from "./facts.ts";

/** Asks for the facts of these teams' syncs; the page begins behind the sync `after`. */
export type FactsQuery = { teamIds: string[]; after?: { teamId: string; id: string } | undefined; rowsMax: number };

const source = alias(integrations, "source");
const lake = alias(integrations, "lake");
const newest = alias(syncRuns, "newest");
const success = alias(syncRuns, "success");
const failure = alias(syncRuns, "failure");

const newestOf = (condition: SQL, order: SQL): SQL =>
  sql`(select id from sync_runs r where r.sync_id = ${syncs.id} and ${condition} order by ${order} desc limit 1)`;

/** By team and id. */
export async function selectSyncFacts(db: Db, { teamIds, after, rowsMax }: FactsQuery): Promise<SyncFacts[]> {
  const rows = await db
    .select({
      sync: syncs,
      sourceName: source.name,
      lakeName: lake.name,
      newest: {
        id: newest.id,
        state: newest.state,
        cause: newest.cause,
        cancelReason: newest.cancelReason,
        error: newest.error,
        summary: newest.summary,
        createdAt: newest.createdAt,
        startedAt: newest.startedAt,
        endedAt: newest.endedAt,
      },
      success: { id: success.id, startedAt: success.startedAt, endedAt: success.endedAt },
      failure: { id: failure.id, endedAt: failure.endedAt, error: failure.error },
    })
    .from(syncs)
    .leftJoin(source, and(eq(source.teamId, syncs.teamId), eq(source.id, syncs.sourceId)))
    .leftJoin(lake, and(eq(lake.teamId, syncs.teamId), eq(lake.id, syncs.lakeId)))
    .leftJoin(newest, sql`${newest.id} = ${newestOf(sql`true`, sql`r.id`)}`)
    // The conditions are spelled like the indexes of successes and failures, so that each is one look-up.
    .leftJoin(
      success,
      sql`${success.id} = ${newestOf(sql`r.state = 'succeeded' and r.only_tables is null`, sql`r.ended_at`)}`,
    )
    .leftJoin(failure, sql`${failure.id} = ${newestOf(sql`r.state = 'failed'`, sql`r.ended_at`)}`)
    .where(
      and(
        sql`${syncs.teamId} in (select value from json_each(${JSON.stringify(teamIds)}))`,
        inArray(syncs.status, ["active", "paused"]),
        after && sql`(${syncs.teamId}, ${syncs.id}) > (${after.teamId}, ${after.id})`,
      ),
    )
    .orderBy(asc(syncs.teamId), asc(syncs.id))
    .limit(rowsMax);
  return rows.map(({ success, failure, ...row }) => ({ ...row, success: ended(success), failure: ended(failure) }));
}

/** The indexes name runs that have ended. */
const ended = <R extends { endedAt: string | null }>(run: R | null): (R & { endedAt: string }) | null =>
  run?.endedAt == null ? null : { ...run, endedAt: run.endedAt };
