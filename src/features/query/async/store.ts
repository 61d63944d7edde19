// Every statement about asynchronous queries. A read takes the team first; only the sweep looks across teams.

import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import type { ProblemCode } from "../../../core/problem.ts";
import { countEvents, msBetween } from "../../../platform/db/count-events.ts";
import type { Db } from "../../../platform/db/client.ts";
import { asyncQueries, type KeptProblem } from "../../../platform/db/schema/query-schema.ts";
import type { AsyncQuery, HeldQuery, QueryName } from "./async-query.ts";

const { heldSql, ...COLUMNS } = getTableColumns(asyncQueries);

const isQuery = ({ teamId, id }: Pick<QueryName, "teamId" | "id">): SQL =>
  and(eq(asyncQueries.teamId, teamId), eq(asyncQueries.id, id))!;

const isRun = (run: Omit<QueryName, "isRepeated">): SQL =>
  and(isQuery(run), eq(asyncQueries.createdAt, run.createdAt))!;

export const findQuery = (db: Db, teamId: string, id: string): Promise<AsyncQuery | undefined> =>
  db.select(COLUMNS).from(asyncQueries).where(isQuery({ teamId, id })).get();

const isHeld = sql`${heldSql} is not null and ${asyncQueries.endedAt} is null`;
const isEndedRepeated = sql`${asyncQueries.isRepeated} and ${asyncQueries.endedAt} is not null`;

/** Undefined where it was begun already, or has ended. */
export async function findHeld(db: Db, teamId: string, id: string): Promise<HeldQuery | undefined> {
  const found = await db
    .select()
    .from(asyncQueries)
    .where(and(isQuery({ teamId, id }), isHeld))
    .get();
  return found && { ...found, heldSql: found.heldSql! };
}

/**
 * Counts a team's queries, without those that are held. A repeated query that has ended is not kept: its caller takes
 * it, or the sweep soon.
 */
export async function countQueries(db: Db, teamId: string): Promise<{ running: number; kept: number; bytes: number }> {
  const found = await db
    .select({
      running: sql<number>`total(${asyncQueries.endedAt} is null)`,
      kept: sql<number>`total(not (${isEndedRepeated}))`,
      bytes: sql<number>`total(iif(${isEndedRepeated}, 0, ${asyncQueries.bytes}))`,
    })
    .from(asyncQueries)
    .where(and(eq(asyncQueries.teamId, teamId), sql`not (${isHeld})`))
    .get();
  return { running: found?.running ?? 0, kept: found?.kept ?? 0, bytes: found?.bytes ?? 0 };
}

/** Returns nothing where there is one under this id. */
export const insertQuery = (db: Db, query: AsyncQuery) =>
  db.insert(asyncQueries).values(query).onConflictDoNothing().returning({ id: asyncQueries.id });

/** Holds a query. Answers whether it is held: not where as many of its user's are as may. */
export async function insertHeld(db: Db, { heldSql, ...query }: HeldQuery, perUserMax: number): Promise<boolean> {
  const { teamId, userId } = query;
  const isOfUser = and(eq(asyncQueries.teamId, teamId), eq(asyncQueries.userId, userId), isHeld);
  const isOneTooMany = sql`(select count(*) from ${asyncQueries} where ${isOfUser}) > ${perUserMax}`;
  const [, removed] = await db.batch([
    db.insert(asyncQueries).values({ ...query, heldSql }),
    db
      .delete(asyncQueries)
      .where(and(isQuery(query), isOneTooMany))
      .returning({ id: asyncQueries.id }),
  ]);
  return removed.length === 0;
}

/** Begins a query that is held. Returns nothing where it was begun already, or has ended. */
export const beginHeld = (db: Db, query: AsyncQuery) =>
  db
    .update(asyncQueries)
    .set({ ...query, heldSql: null })
    .where(and(isQuery(query), isHeld))
    .returning({ id: asyncQueries.id });

/** Failures that tell whoever sent the query to send it again under its id. */
const OPEN_OUTCOMES: readonly ProblemCode[] = ["write_outcome_unknown", "work_in_progress"];

/** Makes way for the user's own query under the same id where this one is to be sent again under it. */
export const deleteOpen = (db: Db, { teamId, id, userId }: AsyncQuery) =>
  db
    .delete(asyncQueries)
    .where(
      and(
        isQuery({ teamId, id }),
        eq(asyncQueries.userId, userId),
        inArray(sql`${asyncQueries.problem} ->> 'code'`, [...OPEN_OUTCOMES]),
      ),
    );

/** Returns nothing where it has ended. */
export const markAccepted = (db: Db, query: QueryName, at: string) =>
  db
    .update(asyncQueries)
    .set({ acceptedAt: at })
    .where(and(isRun(query), isNull(asyncQueries.endedAt)))
    .returning({ id: asyncQueries.id });

/** Counts an end, before the statement that records it. A query that was held to its end is none that ran. */
export const countEnd = (db: Db, { teamId, id, createdAt }: QueryName, now: Date) =>
  countEvents(
    db,
    { teamId, type: "query", endedAt: now },
    sql`select ${msBetween(sql`created_at`, now.toISOString())} ms from async_queries
      where team_id = ${teamId} and id = ${id} and created_at = ${createdAt} and ended_at is null
        and held_sql is null`,
  );

type Ended = { problem: KeptProblem | null; bytes: number | null; readerHead?: string | undefined; at: string };

/** The first end counts: returns nothing where it has ended already. */
export const recordEnd = (db: Db, query: QueryName, { problem, bytes, readerHead, at }: Ended) =>
  db
    .update(asyncQueries)
    .set({ problem, bytes, endedAt: at, heldSql: null, ...(readerHead !== undefined && { readerHead }) })
    .where(and(isRun(query), isNull(asyncQueries.endedAt)))
    .returning({ id: asyncQueries.id });

/** An ended query counts from now on as having ended `at`. */
export const moveEnd = (db: Db, query: QueryName, at: Date) =>
  db
    .update(asyncQueries)
    .set({ endedAt: at.toISOString() })
    .where(and(isRun(query), isNotNull(asyncQueries.endedAt)));

export const deleteEnded = (db: Db, query: QueryName) =>
  db.delete(asyncQueries).where(and(isRun(query), isNotNull(asyncQueries.endedAt)));

// ── Across teams, for the clock ──────────────────────────────────────────────────────────────────────────────────────

/** Ends queries that are held past their deadline, of which no engine knows. */
export const endHeldOverdue = (db: Db, { problem, at }: { problem: KeptProblem; at: string }, rowsMax: number) =>
  db
    .update(asyncQueries)
    .set({ problem, endedAt: at, heldSql: null })
    .where(
      sql`(${asyncQueries.teamId}, ${asyncQueries.id}) in (
        select team_id, id from async_queries
        where held_sql is not null and ended_at is null and deadline_at < ${at} limit ${rowsMax})`,
    )
    .returning({ id: asyncQueries.id });

/** In any order: many that cannot be ended yet do not keep the others from being looked at. */
export const selectOverdue = (db: Db, deadlineBefore: string, rowsMax: number): Promise<AsyncQuery[]> =>
  db
    .select(COLUMNS)
    .from(asyncQueries)
    .where(and(isNull(asyncQueries.endedAt), lt(asyncQueries.deadlineAt, deadlineBefore), isNull(heldSql)))
    .orderBy(sql`random()`)
    .limit(rowsMax);

/** As {@link isWrite}. */
const isOfWrite = sql`${asyncQueries.readerHead} like '{%'`;

/** `repeatedBefore`: the instant for repeated queries, which is later; `writtenBefore`: for those that write. */
export const selectEndedBefore = (
  db: Db,
  { before, repeatedBefore, writtenBefore }: { before: string; repeatedBefore: string; writtenBefore: string },
  rowsMax: number,
): Promise<QueryName[]> =>
  db
    .select({
      teamId: asyncQueries.teamId,
      id: asyncQueries.id,
      createdAt: asyncQueries.createdAt,
      isRepeated: asyncQueries.isRepeated,
    })
    .from(asyncQueries)
    .where(
      or(
        lt(asyncQueries.endedAt, before),
        and(
          eq(asyncQueries.isRepeated, true),
          lt(asyncQueries.endedAt, sql`iif(${isOfWrite}, ${writtenBefore}, ${repeatedBefore})`),
        ),
      ),
    )
    .orderBy(asc(asyncQueries.endedAt))
    .limit(rowsMax);

/** All names in one JSON parameter: D1 allows a hundred parameters in a statement. */
export const deleteQueries = (db: Db, queries: readonly QueryName[]) =>
  db.delete(asyncQueries).where(
    sql`(${asyncQueries.teamId}, ${asyncQueries.id}, ${asyncQueries.createdAt}) in
        (select value ->> 'teamId', value ->> 'id', value ->> 'createdAt' from json_each(${JSON.stringify(queries)}))`,
  );
