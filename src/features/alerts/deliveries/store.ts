// Every statement about deliveries. A read takes the team first; only the sweep looks across teams.

import { and, asc, desc, eq, gte, isNotNull, isNull, lt, lte, not, sql, type SQL } from "drizzle-orm";
import { ALERT_LIMITS } from "../limits.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import { alertDeliveries } from "../../../platform/db/schema/alert-schema.ts";
import type { Db } from "../../../platform/db/client.ts";
import { deleteSome } from "../../../platform/db/delete-some.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import type { Delivery } from "./delivery.ts";

const isDelivery = (teamId: string, id: string): SQL =>
  and(eq(alertDeliveries.teamId, teamId), eq(alertDeliveries.id, id))!;

export const findDelivery = (db: Db, teamId: string, id: string): Promise<Delivery | undefined> =>
  db.select().from(alertDeliveries).where(isDelivery(teamId, id)).get();

export type DeliveryFilter = { state?: Delivery["state"] | undefined };

/** Newest first. */
export const selectDeliveries = (
  db: Db,
  teamId: string,
  { state }: DeliveryFilter,
  page: Page,
): Promise<PageOf<Delivery>> =>
  selectPage(db, alertDeliveries, {
    where: and(eq(alertDeliveries.teamId, teamId), state && eq(alertDeliveries.state, state)),
    orderBy: [desc(alertDeliveries.createdAt), desc(alertDeliveries.id)],
    page,
  });

export const countTestsSince = (db: Db, teamId: string, since: string): Promise<number> =>
  db.$count(
    alertDeliveries,
    and(
      eq(alertDeliveries.teamId, teamId),
      gte(alertDeliveries.createdAt, since),
      eq(alertDeliveries.type, "alert.test"),
    ),
  );

export const insertDelivery = (db: Db, delivery: Delivery) => db.insert(alertDeliveries).values(delivery);

/** Inserts deliveries of open episodes to webhooks in use; other deliveries are left out. */
export function insertDeliveries(db: Db, deliveries: Delivery[]) {
  const field = (name: keyof Delivery): SQL => sql`d.value ->> ${sql.raw(`'${name}'`)}`;
  return db
    .insert(alertDeliveries)
    .select(
      sql`select ${field("id")}, ${field("teamId")}, ${field("episodeId")}, ${field("type")}, ${field("payload")},
          'pending', 0, ${field("dueAt")}, null, null, 0, ${field("createdAt")}, null, null, ${field("subjectId")}
        from json_each(${JSON.stringify(deliveries)}) d
        where exists (select 1 from alert_episodes e where e.id = ${field("episodeId")} and e.closed_at is null)
          and exists (select 1 from alert_webhooks w where w.team_id = ${field("teamId")} and w.disabled_at is null)`,
    )
    .returning({ id: alertDeliveries.id });
}

/** True in SQL while an earlier message about the same sync or job is neither delivered nor given up. */
const isHeldInSql = ({ teamId, subjectId, id }: Held): SQL =>
  sql`exists (select 1 from alert_deliveries earlier where earlier.team_id = ${teamId}
    and earlier.subject_id = ${subjectId} and earlier.id < ${id} and earlier.ended_at is null)`;

type Held = Pick<Delivery, "teamId" | "subjectId" | "id"> | typeof alertDeliveries;

/** A delivery that is not held never will be: what comes later is not earlier. */
export const isHeld = async (db: Db, delivery: Delivery): Promise<boolean> =>
  (await db.get<{ held: number }>(sql`select ${isHeldInSql(delivery)} as held`)).held === 1;

/** Says whether nobody has moved it on since it was seen. */
export const saveDelivery = (db: Db, seen: Delivery, { id: _, teamId: __, ...next }: Delivery) =>
  db
    .update(alertDeliveries)
    .set(next)
    .where(
      and(
        isDelivery(seen.teamId, seen.id),
        eq(alertDeliveries.revision, seen.revision),
        isNull(alertDeliveries.endedAt),
      ),
    )
    .returning({ id: alertDeliveries.id });

/** Gives up the waiting deliveries of a webhook that takes no more messages. */
export const giveUpDeliveriesOf = (db: Db, teamId: string, error: string, at: string) =>
  db
    .update(alertDeliveries)
    .set({ state: "failed", error, endedAt: at, revision: sql`${alertDeliveries.revision} + 1` })
    .where(
      and(
        eq(alertDeliveries.teamId, teamId),
        isNull(alertDeliveries.endedAt),
        sql`exists (select 1 from alert_webhooks w where w.team_id = ${teamId} and w.disabled_at is not null)`,
      ),
    );

export const deleteDeliveriesOf = (db: Db, teamId: string) =>
  db.delete(alertDeliveries).where(eq(alertDeliveries.teamId, teamId));

// ── The sweep ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** True in SQL of a delivery whose last attempt got no answer. */
const isSilent: SQL = sql`(${alertDeliveries.attempts} > 0 and ${alertDeliveries.status} is null)`;

/**
 * The first of each team, of all teams or of one. Deliveries whose last attempt got no answer come one at a time,
 * beside the others: a receiver that hangs takes its deadline of each message once, and does not fill the queue with
 * their repeats; nor do new messages keep a repeat from its turn.
 */
export function selectDueDeliveries(
  db: Db,
  at: string,
  { rowsMax, teamId }: { rowsMax: number; teamId?: string },
): Promise<Pick<Delivery, "id" | "teamId">[]> {
  const { id, teamId: team, dueAt } = alertDeliveries;
  const due = db
    .select({
      ...{ id, teamId: team, dueAt },
      isSilent: isSilent.as("is_silent"),
      place: sql<number>`row_number() over (partition by ${team}, ${isSilent} order by ${dueAt}, ${id})`.as("place"),
    })
    .from(alertDeliveries)
    .where(and(lte(dueAt, at), isNull(alertDeliveries.endedAt), ofTeam(teamId), not(isHeldInSql(alertDeliveries))))
    .as("due");
  const { alertWakeUpsPerTeamMax: most } = ALERT_LIMITS;
  return db
    .select({ id: due.id, teamId: due.teamId })
    .from(due)
    .where(sql`${due.place} <= iif(${due.isSilent}, 1, ${most})`)
    .orderBy(asc(due.isSilent), asc(due.place), asc(due.dueAt))
    .limit(rowsMax);
}

const ofTeam = (teamId: string | undefined): SQL | undefined =>
  teamId === undefined ? undefined : eq(alertDeliveries.teamId, teamId);

/** Forgets a bounded number of old ones. */
export const deleteDeliveriesBefore = (db: Db, endedBefore: string, rowsMax: number) =>
  deleteSome(
    db,
    alertDeliveries.id,
    and(isNotNull(alertDeliveries.endedAt), lt(alertDeliveries.endedAt, endedBefore)),
    rowsMax,
  ).returning({ id: alertDeliveries.id });
