// Every statement about the platform's own state. They look across teams: all of it is for operators.

import { eq, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { factOfType } from "../../platform/db/resource-types-in-sql.ts";
import { deadLetters, platformTicks } from "../../platform/db/schema/statistics-schema.ts";
import type { WakeUp } from "../../platform/messages.ts";
import type { WorkFilter, WorkRow, WorkState } from "./work-item.ts";

export const findLastTick = async (db: Db): Promise<string | undefined> =>
  (await db.select().from(platformTicks).where(eq(platformTicks.id, 0)).get())?.tickedAt;

/** The later of two ticks stays, in whatever order they come. */
export const saveTick = (db: Db, at: string) =>
  db
    .insert(platformTicks)
    .values({ id: 0, tickedAt: at })
    .onConflictDoUpdate({ target: platformTicks.id, set: { tickedAt: sql`max(ticked_at, ${at})` } });

export const countDeadLetter = (db: Db, kind: WakeUp["kind"], at: string) =>
  db
    .insert(deadLetters)
    .values({ kind, count: 1, lastAt: at })
    .onConflictDoUpdate({ target: deadLetters.kind, set: { count: sql`count + 1`, lastAt: at } });

export const selectDeadLetters = (db: Db) => db.select().from(deadLetters).orderBy(deadLetters.kind);

// ── Queues ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A message of lost rights is about no row that is due: the runs that end for it are. */
type DueKind = Exclude<WakeUp["kind"], "rights_lost">;

/** `oldest`: when the longest due one was due. */
export type Due = { kind: DueKind; due: number; oldest: string | null };

/** Due work that no worker has claimed, by kind. Runs that wait for others of their team, job or sync are not due. */
const DUE: Record<DueKind, (at: string) => SQL> = {
  automation_run: (at) => dueRuns("automation_runs", at),
  sync_run: (at) => dueRuns("sync_runs", at),
  alert_delivery: (at) => sql`select due_at from alert_deliveries where ended_at is null and due_at <= ${at}`,
  outgoing_message: (at) => sql`select due_at from outgoing_messages
    where ended_at is null and is_held = 0 and due_at <= ${at}`,
  lake_collection: (at) => sql`select due_at from lake_collections where due_at <= ${at}`,
  lake_removal: (at) => sql`select next_try_at as due_at from lake_removals where next_try_at <= ${at}`,
  team_removal: (at) => sql`select next_try_at as due_at from team_removals where next_try_at <= ${at}`,
};

const dueRuns = (table: "automation_runs" | "sync_runs", at: string): SQL =>
  sql`select due_at from ${sql.raw(table)} where ended_at is null and due_at <= ${at}
    and (claimed_until is null or claimed_until <= ${at})
    and (started_at is not null or woken_at is not null or cancel_requested_at is not null)`;

export async function selectDue(db: Db, at: string): Promise<Due[]> {
  const kinds = Object.keys(DUE) as DueKind[];
  const rows = await Promise.all(
    kinds.map((kind) =>
      db.all<Omit<Due, "kind">>(sql`select count(*) as "due", min(due_at) as "oldest" from (${DUE[kind](at)})`),
    ),
  );
  return kinds.map((kind, index) => ({ kind, ...rows[index]![0]! }));
}

export type Undelivered = { pending: number; oldest: string | null; failed: number };

export const countUndelivered = async (db: Db, failedSince: string): Promise<Undelivered> =>
  (
    await db.all<Undelivered>(sql`select
      (select count(*) from alert_deliveries where ended_at is null) as "pending",
      (select min(created_at) from alert_deliveries where ended_at is null) as "oldest",
      (select count(*) from alert_deliveries where ended_at >= ${failedSince} and state = 'failed') as "failed"`)
  )[0]!;

// ── Work ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const SHOWN = sql.raw("id, team_id, state, error, created_at, started_at, ended_at");

/** The runs' rows under the same names; `part` chooses among them. */
const runs = (part: SQL): SQL[] => [
  sql`select 'sync' as kind, sync_id as subject_id, ${SHOWN}, attempt, refusals, due_at, claimed_until
    from sync_runs where ${part}`,
  sql`select ${factOfType(sql`resource_type`, "workKind")} as kind, coalesce(automation_id, resource_id) as subject_id,
    ${SHOWN}, attempt, refusals, due_at, claimed_until from automation_runs where ${part}`,
  sql`select 'doc' as kind, doc_id as subject_id, ${SHOWN}, 1 as attempt, 0 as refusals, lease_until as due_at,
    null as claimed_until from doc_runs where ${part}
    and not exists (select 1 from attempts a where a.team_id = doc_runs.team_id and a.job_id = doc_runs.id)`,
];

/**
 * The rows of what is no run, under the names of the runs'. A query that was cancelled, or failed at its source, is
 * nothing that an operator could mend.
 */
const others = (failedSince: string): SQL[] => [
  sql`select 'query' as kind, integration_id as subject_id, id, team_id,
    iif(ended_at is not null, 'failed', iif(accepted_at is null, 'queued', 'running')) as state,
    json_extract(problem, '$.detail') as error, created_at, accepted_at as started_at, ended_at,
    1 as attempt, 0 as refusals, deadline_at as due_at, null as claimed_until
    from async_queries where ended_at is null or (ended_at >= ${failedSince}
      and json_extract(problem, '$.code') not in ('query_cancelled', 'query_failed'))`,
  sql`select 'alert' as kind, coalesce(subject_id, type) as subject_id, id, team_id,
    iif(ended_at is null, 'queued', 'failed') as state, error, created_at, attempted_at as started_at, ended_at,
    attempts as attempt, 0 as refusals, due_at, null as claimed_until
    from alert_deliveries where ended_at is null or (ended_at >= ${failedSince} and state = 'failed')`,
  sql`select 'message' as kind, coalesce(delivery_id, channel) as subject_id, id, team_id,
    iif(ended_at is null, 'queued', 'failed') as state, error, created_at, attempted_at as started_at, ended_at,
    attempts as attempt, 0 as refusals, due_at, null as claimed_until
    from outgoing_messages where (ended_at is null or state in ('failed', 'unknown')) and rowid in (
      select rowid from outgoing_messages where ended_at is null
      union all select rowid from outgoing_messages where ended_at >= ${failedSince} and payload is null
      union all select rowid from outgoing_messages where ended_at >= ${failedSince} and payload is not null)`,
  removals("lake_removals", sql`lake_id`, sql`lake_id`),
  removals("team_removals", sql`team_id`, sql`id`),
];

const removals = (table: "lake_removals" | "team_removals", subject: SQL, id: SQL): SQL =>
  sql`select 'removal' as kind, ${subject} as subject_id, ${id} as id, team_id, 'running' as state, null as error,
    created_at, created_at as started_at, null as ended_at, 1 as attempt, 0 as refusals, next_try_at as due_at,
    null as claimed_until from ${sql.raw(table)}`;

const STATES: Record<WorkState, readonly string[]> = {
  queued: ["queued"],
  running: ["starting", "running"],
  failed: ["failed", "timed_out"],
};

/** Newest first: what has not ended, and what failed since. */
export async function selectWork(
  db: Db,
  { kinds, states, teamId, failedSince }: WorkFilter & { failedSince: string },
  { limit, offset }: Page,
): Promise<PageOf<WorkRow>> {
  const ofRuns = runs(sql`(ended_at is null or (ended_at >= ${failedSince} and state in ('failed', 'timed_out')))`);
  // D1 takes five selects in a union.
  const parts = [ofRuns, others(failedSince)].map((each) => sql`select * from (${sql.join(each, sql` union all `)})`);
  const kept = states?.flatMap((state) => STATES[state]);
  const conditions = [
    sql`true`,
    ...(kinds ? [sql`kind in (select value from json_each(${JSON.stringify(kinds)}))`] : []),
    ...(kept ? [sql`state in (select value from json_each(${JSON.stringify(kept)}))`] : []),
    ...(teamId === undefined ? [] : [sql`team_id = ${teamId}`]),
  ];
  const found = sql`from (${sql.join(parts, sql` union all `)}) where ${sql.join(conditions, sql` and `)}`;
  const rows = await db.all<WorkRow>(sql`select kind, subject_id as "subjectId", id, team_id as "teamId", state, error,
      created_at as "createdAt", started_at as "startedAt", ended_at as "endedAt", attempt, refusals,
      due_at as "dueAt", claimed_until as "claimedUntil" ${found}
    order by created_at desc, id desc limit ${limit} offset ${offset}`);
  const [counted] = await db.all<{ total: number }>(sql`select count(*) as "total" ${found}`);
  return { items: rows, total: counted!.total, limit, offset };
}
