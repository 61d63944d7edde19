// Every statement about audit events but the one that records them. A read takes the team first, or is of what
// operators did; only the sweep looks across teams.

import { and, desc, eq, gte, isNotNull, lt, sql, type SQL } from "drizzle-orm";
import { idsFrom } from "../../core/ids.ts";
import { shownBy } from "../../http/shown-by.ts";
import { auditEvents } from "../../platform/db/schema/audit-schema.ts";
import type { Db } from "../../platform/db/client.ts";
import { AuditEvent, type AuditFilter, type AuditPaging } from "./event.ts";

/** Events of a team, or those of all teams that operators made. */
export type AuditSource = { teamId: string } | "operators";

export type StoredEvent = Omit<AuditEvent, "actor"> & { actorId: string };

/** Newest first: ids sort by time. */
export async function selectEvents(
  db: Db,
  source: AuditSource,
  filter: AuditFilter,
  { limit, cursor }: AuditPaging,
): Promise<StoredEvent[]> {
  const { from, to } = filter;
  const rows = await db
    .select()
    .from(auditEvents)
    .where(
      and(
        source === "operators" ? sql`${auditEvents.isByOperator} = 1` : eq(auditEvents.teamId, source.teamId),
        ...conditionsOf(filter),
        from === undefined ? undefined : gte(auditEvents.id, idsFrom(new Date(from))),
        to === undefined ? undefined : lt(auditEvents.id, idsFrom(new Date(to))),
        cursor === undefined ? undefined : lt(auditEvents.id, cursor),
      ),
    )
    .orderBy(desc(auditEvents.id))
    .limit(limit);
  return rows.map(eventOf);
}

/** The first that is set is looked up by its index, the others (`+` keeps them from theirs) among what that finds. */
function conditionsOf({ subject_id, actor_id, kind, action }: AuditFilter): SQL[] {
  const ofKind = kind ?? action?.slice(0, action.indexOf("."));
  const set = [
    [auditEvents.subjectId, subject_id],
    [auditEvents.actorId, actor_id],
    [auditEvents.kind, ofKind],
    [auditEvents.action, action],
  ] as const;
  const asked = set.filter(([, value]) => value !== undefined);
  return asked.map(([column, value], index) => (index === 0 ? sql`${column} = ${value}` : sql`+${column} = ${value}`));
}

/** Forgets events of any team that are older than the instant, or of them only what runs did; returns them. */
export function deleteEvents(db: Db, { before, ofRuns }: { before: Date; ofRuns: boolean }, rowsMax: number) {
  const old = and(lt(auditEvents.id, idsFrom(before)), ofRuns ? isNotNull(auditEvents.runId) : undefined);
  const ids = db.select({ id: auditEvents.id }).from(auditEvents).where(old).orderBy(auditEvents.id).limit(rowsMax);
  return db.delete(auditEvents).where(sql`${auditEvents.id} in ${ids}`).returning({ id: auditEvents.id });
}

// ── Access changes that destinations are to hear of ────────────────────────────────────────────────────────────────

type Unannounced = Pick<
  typeof auditEvents.$inferSelect,
  "id" | "teamId" | "subjectId" | "actorId" | "action" | "at" | "runId"
> & { isByOperator: number };

/**
 * A team's oldest changes, all teams' in the order of their commits; one of each is taken before a second of any, so
 * that a team with many keeps no other waiting. Teams are found by the partial index, one look-up each.
 */
export const selectUnannounced = (
  db: Db,
  { rowsMax, perTeamMax, teamsMax }: { rowsMax: number; perTeamMax: number; teamsMax: number },
): Promise<Unannounced[]> =>
  db.all(sql`with recursive changed(team) as (
      select min(team_id) from audit_events where is_unannounced = 1
      union all
      select (select min(team_id) from audit_events where is_unannounced = 1 and team_id > changed.team) from changed
      where changed.team is not null limit ${teamsMax + 1})
    select * from (select id, team_id as "teamId", subject_id as "subjectId", actor_id as "actorId", action, at, run_id as "runId",
      is_by_operator as "isByOperator", number from (
      select *, row_number() over (partition by team_id order by number) as place from (
        select id, team_id, subject_id, actor_id, action, at, run_id, is_by_operator, audit_events.rowid as number
        from changed join audit_events on audit_events.rowid in (
          select rowid from audit_events where is_unannounced = 1 and team_id = changed.team
          order by rowid limit ${perTeamMax})))
    order by place, number limit ${rowsMax}) order by number`);

/** True in SQL until {@link markAnnounced}. */
export const isUnannounced = ({ id }: { id: string }): SQL =>
  sql`exists (select 1 from ${auditEvents} where id = ${id} and is_unannounced = 1)`;

export const markAnnounced = (db: Db, events: readonly { id: string }[]) =>
  db
    .update(auditEvents)
    .set({ isUnannounced: false })
    .where(sql`${auditEvents.id} in (select value from json_each(${JSON.stringify(events.map(({ id }) => id))}))`)
    .returning({ id: auditEvents.id });

const factsOf = (json: string | null): AuditEvent["before"] =>
  json === null ? null : (JSON.parse(json) as AuditEvent["before"]);

const Recorded = AuditEvent.omit({ actor: true });

const eventOf = ({ actorId, isByOperator, before, after, ...row }: typeof auditEvents.$inferSelect): StoredEvent => ({
  ...shownBy(Recorded, row, { by_operator: isByOperator, before: factsOf(before), after: factsOf(after) }),
  actorId,
});
