// Every statement about deliveries. A read takes the team first.

import { and, asc, eq, ne, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { deliveries } from "../../platform/db/schema/question-schema.ts";
import { outgoingMessages } from "../../platform/db/schema/message-schema.ts";
import { automationJobs } from "../../platform/db/schema/work-schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import type { DeliveryRow, NOT_RUN } from "./delivery.ts";

/** JSON columns hold what was checked as it came in. */
const rowOf = (row: typeof deliveries.$inferSelect): DeliveryRow => row as DeliveryRow;

type DeliveryName = Pick<DeliveryRow, "teamId" | "id">;

const isDelivery = (teamId: string, id: string): SQL => and(eq(deliveries.teamId, teamId), eq(deliveries.id, id))!;

export async function findDeliveryRow(db: Db, teamId: string, id: string): Promise<DeliveryRow | undefined> {
  const row = await db.select().from(deliveries).where(isDelivery(teamId, id)).get();
  return row && rowOf(row);
}

/** Oldest first. */
export const selectDeliveries = (db: Db, teamId: string, page: Page): Promise<PageOf<DeliveryRow>> =>
  selectPage(db, deliveries, {
    where: eq(deliveries.teamId, teamId),
    orderBy: [asc(deliveries.createdAt), asc(deliveries.id)],
    page,
    toItem: rowOf,
  });

export const countDeliveries = (db: Db, teamId: string): Promise<number> =>
  db.$count(deliveries, eq(deliveries.teamId, teamId));

export const insertDelivery = (db: Db, row: DeliveryRow) => db.insert(deliveries).values(row);

/**
 * A row that is there keeps what its entry does not say, and what its condition saw unless the source is another. Where
 * it is as its entry says already, the row stays at its revision, so that a run under way goes on.
 */
export function upsertDelivery(db: Db, row: DeliveryRow) {
  const { name, source, sourceId, recipients, updatedAt } = row;
  const isNewSource = sql`${deliveries.source} <> excluded.source`;
  const unlessNew = (column: SQLiteColumn): SQL => sql`case when ${isNewSource} then null else ${column} end`;
  const seen = {
    conditionState: unlessNew(deliveries.conditionState),
    lastRunId: unlessNew(deliveries.lastRunId),
    lastRunAt: unlessNew(deliveries.lastRunAt),
    lastRunSent: unlessNew(deliveries.lastRunSent),
  } satisfies Record<keyof typeof NOT_RUN, SQL>;
  return db
    .insert(deliveries)
    .values(row)
    .onConflictDoUpdate({
      target: deliveries.id,
      set: { name, source, sourceId, recipients, updatedAt, ...seen, revision: sql`${deliveries.revision} + 1` },
      setWhere: sql`${isNewSource} or ${deliveries.name} <> excluded.name
        or ${deliveries.recipients} <> excluded.recipients`,
    });
}

export const deleteDeliveryOfEntry = (db: Db, teamId: string, id: string) =>
  db.delete(deliveries).where(isDelivery(teamId, id));

/** True in SQL while there is such a delivery. */
export const isThere = (teamId: string, id: string): SQL =>
  sql`exists (select 1 from ${deliveries} where team_id = ${teamId} and id = ${id})`;

/** True in SQL while the delivery is as it was seen. */
export const hasRevision = ({ teamId, id, revision }: Pick<DeliveryRow, "teamId" | "id" | "revision">): SQL =>
  sql`exists (select 1 from ${deliveries} where team_id = ${teamId} and id = ${id} and revision = ${revision})`;

/** True in SQL where the row is as this run has left it, and the run has no messages yet. */
export const hasRun = (row: Pick<DeliveryRow, "teamId" | "id" | "revision" | "lastRunId">): SQL =>
  sql`(exists (select 1 from ${deliveries} where team_id = ${row.teamId} and id = ${row.id}
      and revision = ${row.revision} and last_run_id = ${row.lastRunId})
    and not exists (select 1 from ${outgoingMessages} where team_id = ${row.teamId} and delivery_id = ${row.id}
      and run_id = ${row.lastRunId}))`;

/** Returns the row, or nothing where a change or a run has come in between. */
export const updateDeliveryRow = (db: Db, before: DeliveryRow, after: DeliveryRow) =>
  db
    .update(deliveries)
    .set(after)
    .where(and(isDelivery(before.teamId, before.id), eq(deliveries.revision, before.revision)))
    .returning({ id: deliveries.id });

// ── Jobs ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const isJobOf = ({ teamId, id }: DeliveryName): SQL =>
  and(eq(automationJobs.teamId, teamId), eq(automationJobs.resourceId, id))!;

/** The job of the doc's entry that made the delivery, which has the delivery's id. */
const isJobOfEntry = ({ teamId, id }: DeliveryName): SQL => and(isJobOf({ teamId, id }), eq(automationJobs.id, id))!;

/** Whether an entry of a doc's `automations` made the delivery, and runs it. */
export const hasJobOfEntry = async (db: Db, name: DeliveryName): Promise<boolean> =>
  (await db.$count(automationJobs, isJobOfEntry(name))) > 0;

/** The jobs that run a delivery, besides that of its entry. */
export const selectJobsOf = (db: Db, row: DeliveryRow, rowsMax: number): Promise<{ id: string; name: string }[]> =>
  db
    .select({ id: automationJobs.id, name: automationJobs.name })
    .from(automationJobs)
    .where(and(isJobOf(row), ne(automationJobs.id, row.id)))
    .orderBy(asc(automationJobs.name))
    .limit(rowsMax);

/** True in SQL while the delivery is as it was seen, and no job runs it. */
export const isUnused = (row: DeliveryRow): SQL =>
  sql`(${hasRevision(row)} and not exists (select 1 from ${automationJobs} where ${isJobOf(row)}))`;

export const deleteDeliveryRow = (db: Db, row: DeliveryRow) =>
  db
    .delete(deliveries)
    .where(and(isDelivery(row.teamId, row.id), isUnused(row)))
    .returning({ id: deliveries.id });
