// Every statement about what runs of all kinds have in common, and about their attempts. A read takes the team first;
// only the sweep looks across teams.

import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql, type SQL } from "drizzle-orm";
import { WORK_LIMITS } from "./limits.ts";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { syncRuns } from "../../platform/db/schema/schema.ts";
import { attempts } from "../../platform/db/schema/work-schema.ts";
import type { AttemptChange } from "./attempt-change.ts";
import type { RunRows, RunTable } from "./kind.ts";
import { hasEnded, type RunState } from "./next-state.ts";
import { stateColumns, workRunOf, type RunName, type WorkRun } from "./run.ts";
import { isRun } from "./runs/store-runs.ts";
import { addSyncUse, countRunEnd, recordStepEvents } from "./store-events.ts";

/** A run as far as the rules go: also where what its kind adds to it can't be read. */
export async function findWorkRun(db: Db, table: RunTable, name: RunName): Promise<WorkRun | undefined> {
  const row = await db
    .select({
      id: table.id,
      teamId: table.teamId,
      state: table.state,
      attempt: table.attempt,
      refusals: table.refusals,
      breaks: table.breaks,
      absences: table.absences,
      workId: table.workId,
      fence: table.fence,
      dueAt: table.dueAt,
      claimedUntil: table.claimedUntil,
      cancelRequestedAt: table.cancelRequestedAt,
      cancelReason: table.cancelReason,
      cancelCode: table.cancelCode,
      deadlineAt: table.deadlineAt,
      error: table.error,
      revision: table.revision,
      startedAt: table.startedAt,
    })
    .from(table)
    .where(isRun(table, name))
    .get();
  return row && workRunOf(row);
}

/** Whether nobody has moved the run on since it was claimed. */
export const isClaimed = async (db: Db, table: RunTable, run: RunName & { revision: number }): Promise<boolean> =>
  (await db.$count(table, and(isRun(table, run), eq(table.revision, run.revision)))) > 0;

/** Nothing happens where somebody has moved the run on since it was claimed. */
export const renewClaim = (db: Db, table: RunTable, run: RunName & { revision: number }, until: string) =>
  db
    .update(table)
    .set({ claimedUntil: until, dueAt: until })
    .where(and(isRun(table, run), eq(table.revision, run.revision), isNotNull(table.claimedUntil)))
    .run();

type Step = {
  next: RunState;
  now: Date;
  /** True in SQL, or nothing is saved. */
  onlyIf?: SQL | undefined;
  /** Further columns that the kind keeps. */
  columns?: Record<string, unknown> | undefined;
  attempt?: AttemptChange | undefined;
};

/** `messages`: those of the events that the step wrote. */
type SavedStep = { cancelRequested: boolean; messages: RunName[] };

/**
 * Records a step where the run is still as it was seen, with what becomes of its attempt, in one batch; undefined where
 * somebody else has moved it on. What others may ask of it meanwhile, its cancelling, stays as it is.
 */
export async function saveStep(
  db: Db,
  table: RunTable,
  seen: RunName & Pick<WorkRun, "state" | "revision">,
  { next, now, onlyIf, columns, attempt }: Step,
): Promise<SavedStep | undefined> {
  const at = now.toISOString();
  const isAsSeen = and(isRun(table, seen), eq(table.revision, seen.revision), onlyIf)!;
  const changed = {
    ...columns,
    ...stateColumns(next),
    ...(hasEnded(next) ? { endedAt: at } : {}),
    revision: seen.revision + 1,
    updatedAt: at,
  };
  const run = db.update(table).set(changed).where(isAsSeen).returning({ cancelRequestedAt: table.cancelRequestedAt });
  // The others first: what they depend on is the run as it was seen.
  const isSaved = sql`exists (select 1 from ${table} where ${isAsSeen})`;
  const events = recordStepEvents(db, table, seen, { next, now, isSaved });
  const others = [
    ...events,
    ...(attempt ? [changeAttempt(db, seen, attempt, { at, isSaved })] : []),
    ...(hasEnded(next) ? [countRunEnd(db, table, seen, { now, isSaved })] : []),
    ...(hasEnded(next) && table === syncRuns
      ? [addSyncUse(db, seen, { now, isSaved, rowsWritten: columns?.["rowsWritten"] })]
      : []),
  ];
  // The batch's type wants a first statement by name; the run's is the last.
  const results = await db.batch([...others, run] as unknown as [typeof run]);
  const [saved] = results.at(-1)!;
  const messages = results.slice(0, events.length).flat() as unknown as RunName[];
  return saved && { cancelRequested: saved.cancelRequestedAt !== null, messages };
}

function changeAttempt(db: Db, run: RunName, change: AttemptChange, { at, isSaved }: { at: string; isSaved: SQL }) {
  const isIt = and(eq(attempts.runId, run.id), eq(attempts.attempt, change.attempt), isSaved);
  switch (change.kind) {
    case "begin": {
      const { attempt, workId } = change;
      const startedAt = new Date(change.startedAtMs).toISOString();
      return db
        .insert(attempts)
        .select(
          sql`select ${run.id}, ${attempt}, ${run.teamId}, 'running', ${workId}, null, ${startedAt}, null where ${isSaved}`,
        );
    }
    case "withdraw":
      return db.delete(attempts).where(isIt);
    case "end":
      return db.update(attempts).set({ state: change.state, error: change.error, endedAt: at }).where(isIt);
  }
}

/** How many runs of the team have begun and not ended, as far as that puts off their looks. */
export async function countBegun(db: Db, table: RunTable, teamId: string): Promise<number> {
  const most = WORK_LIMITS.teamLookMsMax / WORK_LIMITS.teamLookMs;
  const { begun } = await db.get<{ begun: number }>(sql`select count(*) as begun from (select 1 from ${table}
    where team_id = ${teamId} and started_at is not null and ended_at is null limit ${most})`);
  return begun;
}

// ── Attempts ───────────────────────────────────────────────────────────────────────────────────────────────────────

export type Attempt = typeof attempts.$inferSelect;

export async function selectAttempts(
  db: Db,
  { teamId, id }: RunName,
  { ascending, limit, offset }: Page & { ascending: boolean },
): Promise<PageOf<Attempt>> {
  const isOfRun = and(eq(attempts.teamId, teamId), eq(attempts.runId, id));
  const order = ascending ? asc : desc;
  const [items, totals] = await db.batch([
    db.select().from(attempts).where(isOfRun).orderBy(order(attempts.attempt)).limit(limit).offset(offset),
    db.select({ total: count() }).from(attempts).where(isOfRun),
  ]);
  return { items, total: totals[0]!.total, limit, offset };
}

export const findAttemptRow = (
  db: Db,
  teamId: string,
  which: { runId: string; attempt: number } | { workId: string },
): Promise<Attempt | undefined> =>
  db
    .select()
    .from(attempts)
    .where(
      and(
        eq(attempts.teamId, teamId),
        "workId" in which
          ? eq(attempts.workId, which.workId)
          : and(eq(attempts.runId, which.runId), eq(attempts.attempt, which.attempt)),
      ),
    )
    .get();

// ── The sweep ──────────────────────────────────────────────────────────────────────────────────────────────────────

type Overdue = { at: string; dueBefore: string; rowsMax: number };

/**
 * Runs that were due before `dueBefore` and nobody has claimed since, and those whose claim has run out at `at`; in
 * turns between teams.
 */
export function selectOverdue(
  db: Db,
  { table, isItsTurn }: Pick<RunRows<never, never>, "table" | "isItsTurn">,
  { at, dueBefore, rowsMax }: Overdue,
): Promise<RunName[]> {
  const overdue = db
    .select({
      id: table.id,
      teamId: table.teamId,
      dueAt: table.dueAt,
      place: sql<number>`row_number() over (partition by ${table.teamId} order by ${table.dueAt})`.as("place"),
    })
    .from(table)
    .where(
      and(
        // A claimed run is due when its claim runs out.
        lte(table.dueAt, at),
        or(lte(table.dueAt, dueBefore), isNotNull(table.claimedUntil)),
        isNull(table.endedAt),
        or(isNotNull(table.startedAt), isNotNull(table.wokenAt), isNotNull(table.cancelRequestedAt)),
        or(isNotNull(table.cancelRequestedAt), isItsTurn),
      ),
    )
    .as("overdue");
  return db
    .select({ id: overdue.id, teamId: overdue.teamId })
    .from(overdue)
    .orderBy(asc(overdue.place), asc(overdue.dueAt))
    .limit(rowsMax);
}

/** Runs that a step has claimed now. */
export const selectClaimed = (db: Db, table: RunTable, at: string, rowsMax: number): Promise<RunName[]> =>
  db
    .select({ id: table.id, teamId: table.teamId })
    .from(table)
    .where(and(gt(table.dueAt, at), isNull(table.endedAt), gt(table.claimedUntil, at)))
    .orderBy(asc(table.dueAt))
    .limit(rowsMax);

/** Forgets a bounded number of old runs, with their attempts. */
export async function deleteRunsBefore(db: Db, table: RunTable, endedBefore: string, rowsMax: number): Promise<number> {
  const old = db
    .select({ id: table.id })
    .from(table)
    .where(and(isNotNull(table.endedAt), lt(table.endedAt, endedBefore)))
    .orderBy(asc(table.endedAt), asc(table.id))
    .limit(rowsMax);
  const [, deleted] = await db.batch([
    db.delete(attempts).where(inArray(attempts.runId, old)),
    db.delete(table).where(inArray(table.id, old)).returning({ id: table.id }),
  ]);
  return deleted.length;
}

// ── Looking at once ────────────────────────────────────────────────────────────────────────────────────────────────

/** True in SQL while an attempt is under way that nobody is at work on, and that is not due yet. */
export const isWatchedLater = (table: RunTable, run: RunName, at: string): SQL =>
  sql`exists (select 1 from ${table} where ${isLater(table, run, at)})`;

/** Makes the next look at an attempt under way due now; what is decided then is up to the rules. */
export const makeDue = (db: Db, table: RunTable, run: RunName, at: string) =>
  db
    .update(table)
    .set({ dueAt: at })
    .where(isLater(table, run, at))
    .returning({ id: table.id });

const isLater = (table: RunTable, run: RunName, at: string): SQL =>
  and(
    isRun(table, run),
    eq(table.state, "running"),
    or(isNull(table.claimedUntil), lte(table.claimedUntil, at)),
    gt(table.dueAt, at),
  )!;
