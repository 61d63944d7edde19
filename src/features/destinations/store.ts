// Every statement about destinations. A read takes the team first; only a re-seal looks across teams.

import { and, asc, eq, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { deliveries } from "../../platform/db/schema/question-schema.ts";
import { destinations } from "../../platform/db/schema/destination-schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import type { DestinationRow } from "./destination.ts";
import { sealedRowsOf } from "../../platform/db/sealed-rows.ts";

const isDestination = (teamId: string, id: string): SQL =>
  and(eq(destinations.teamId, teamId), eq(destinations.id, id))!;

export const findDestination = (db: Db, teamId: string, id: string): Promise<DestinationRow | undefined> =>
  db.select().from(destinations).where(isDestination(teamId, id)).get();

/** By name. */
export const selectDestinations = (db: Db, teamId: string, page: Page): Promise<PageOf<DestinationRow>> =>
  selectPage(db, destinations, { where: eq(destinations.teamId, teamId), orderBy: [asc(destinations.name)], page });

export const countDestinations = (db: Db, teamId: string): Promise<number> =>
  db.$count(destinations, eq(destinations.teamId, teamId));

export const countEventsDestinations = (db: Db, teamId: string): Promise<number> =>
  db.$count(destinations, and(eq(destinations.teamId, teamId), eq(destinations.kind, "events")));

/** Returns nothing where the team has one of this name. */
export const insertDestination = (db: Db, row: DestinationRow) =>
  db.insert(destinations).values(row).onConflictDoNothing().returning({ id: destinations.id });

/** True in SQL while the destination is as it was seen. */
export const hasRevision = ({ teamId, id, revision }: DestinationRow): SQL =>
  sql`exists (select 1 from ${destinations} where team_id = ${teamId} and id = ${id} and revision = ${revision})`;

/** True in SQL while the destination is as it was seen, and no other has the name that it is to have. */
export const isUpdatable = (before: DestinationRow, { teamId, id, name }: DestinationRow): SQL =>
  and(
    hasRevision(before),
    sql`not exists (select 1 from ${destinations} where team_id = ${teamId} and id <> ${id} and name = ${name})`,
  )!;

/** Returns the row, or nothing where {@link isUpdatable} does not hold. */
export const updateDestinationRow = (db: Db, before: DestinationRow, after: DestinationRow) => {
  const { testedAt: _, failingSince, ...others } = after;
  // An attempt may say meanwhile how it went.
  const changed = failingSince === before.failingSince ? others : { ...others, failingSince };
  return db
    .update(destinations)
    .set(changed)
    .where(and(isDestination(before.teamId, before.id), isUpdatable(before, after)))
    .returning({ id: destinations.id });
};

/** The deliveries that name a destination. */
export const selectDeliveriesTo = (db: Db, { teamId, id }: DestinationRow, rowsMax: number) =>
  db
    .select({ id: deliveries.id, name: deliveries.name })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.teamId, teamId),
        sql`exists (select 1 from json_each(${deliveries.recipients}) r where r.value ->> 'destination_id' = ${id})`,
      ),
    )
    .orderBy(asc(deliveries.name))
    .limit(rowsMax);

export const deleteDestinationRow = (db: Db, row: DestinationRow) =>
  db
    .delete(destinations)
    .where(and(isDestination(row.teamId, row.id), eq(destinations.revision, row.revision)))
    .returning({ id: destinations.id });

// ── What attempts say of a destination of events ───────────────────────────────────────────────────────────────────

/** The first failure in a row stays; nothing changes where the address is another since the attempt began. */
export const setFailingSince = (db: Db, { teamId, id, revision }: DestinationRow, at: string | null) =>
  db
    .update(destinations)
    .set({ failingSince: at === null ? null : sql`coalesce(${destinations.failingSince}, ${at})` })
    .where(and(isDestination(teamId, id), eq(destinations.revision, revision)));

/** Nothing changes where somebody has changed it since the attempt began. */
export const disableDestination = (
  db: Db,
  { teamId, id, revision }: DestinationRow,
  disabled: Pick<DestinationRow, "disabledAt" | "disabledCode">,
) =>
  db
    .update(destinations)
    .set({ ...disabled, revision: revision + 1, updatedAt: disabled.disabledAt! })
    .where(and(isDestination(teamId, id), eq(destinations.revision, revision), isNull(destinations.disabledAt)));

/** True in SQL once it is gone. */
export const isDeletedInSql = ({ teamId, id }: DestinationRow): SQL =>
  sql`not exists (select 1 from ${destinations} where team_id = ${teamId} and id = ${id})`;

/** True in SQL while it is disabled. */
export const isDisabledInSql = ({ teamId, id }: DestinationRow): SQL =>
  sql`exists (select 1 from ${destinations} where team_id = ${teamId} and id = ${id} and disabled_at is not null)`;

// ── Tests ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Returns the row, or nothing where a test was sent after `before`. */
export const markTested = (db: Db, { teamId, id }: DestinationRow, { at, before }: { at: string; before: string }) =>
  db
    .update(destinations)
    .set({ testedAt: at })
    .where(and(isDestination(teamId, id), or(isNull(destinations.testedAt), lte(destinations.testedAt, before))))
    .returning({ id: destinations.id });

/** True in SQL where {@link markTested} would find the row. */
export const mayBeTested = ({ teamId, id }: DestinationRow, before: string): SQL =>
  sql`exists (select 1 from ${destinations} where team_id = ${teamId} and id = ${id}
    and (tested_at is null or tested_at <= ${before}))`;

// ── Re-seal ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The rows that key rotation re-seals, of any team. */
export const sealedDestinations = (db: Db) => sealedRowsOf(db, destinations, "sealed");
