// Counts a team's objects and its use; and the guard of a batch that would make it more than its plan allows.

import { and, eq, sql, type SQL } from "drizzle-orm";
import { HELD, PLAN_BOUNDS, type Held, type Metered, type TeamPlan } from "../../core/teams/plans.ts";
import type { Db } from "../../platform/db/client.ts";
import { clusterUses, driveMeasures, monthUses } from "../../platform/db/schema/statistics-schema.ts";
import { apiKeys, docs, integrations, lakeSummaries, teams, users } from "../../platform/db/schema/schema.ts";
import { savedQueries } from "../../platform/db/schema/question-schema.ts";
import { automationJobs } from "../../platform/db/schema/work-schema.ts";

/** The counts of one team at an instant. */
const COUNTS: Record<Held, (teamId: string, at: string) => SQL<number>> = {
  users: (teamId) => sql`(select count(*) from ${users} where team_id = ${teamId})`,
  keys: (teamId, at) => sql`(select count(*) from ${apiKeys} where team_id = ${teamId} and revoked_at is null
    and (expires_at is null or expires_at > ${at}))`,
  integrations: (teamId) => sql`(select count(*) from ${integrations} where team_id = ${teamId})`,
  docs: (teamId) => sql`(select count(*) from ${docs} where team_id = ${teamId})`,
  jobs: (teamId) => sql`(select count(*) from ${automationJobs} where team_id = ${teamId})`,
  saved_queries: (teamId) => sql`(select count(*) from ${savedQueries} where team_id = ${teamId})`,
};

/** By the plan that the team has in the moment of the statement. */
function boundOf(what: Held): SQL | undefined {
  const cases = Object.entries(PLAN_BOUNDS).flatMap(([plan, { held }]) =>
    held[what] === null ? [] : [sql`when ${plan} then ${held[what]}`],
  );
  return cases.length === 0 ? undefined : sql`case ${teams.plan} ${sql.join(cases, sql` `)} end`;
}

/**
 * The last statement of a batch that adds to what a team holds: it fails, and the batch with it, where that is more
 * than the plan allows, so that the bound is exact however many add at once. A plan's name is no JSON.
 */
export const planGuard = (db: Db, teamId: string, what: Held, at: string) =>
  db
    .select({
      within: sql`case when ${COUNTS[what](teamId, at)} > ${boundOf(what) ?? sql`null`} then json(${teams.plan}) end`,
    })
    .from(teams)
    .where(eq(teams.id, teamId));

export async function countHeld(db: Db, teamId: string, at: string): Promise<Record<Held, number>> {
  const fields = Object.fromEntries(HELD.map((what) => [what, COUNTS[what](teamId, at)])) as Record<Held, SQL<number>>;
  const row = await db.select(fields).from(teams).where(eq(teams.id, teamId)).get();
  return row ?? { users: 0, keys: 0, integrations: 0, docs: 0, jobs: 0, saved_queries: 0 };
}

/** A team's use, with its plan. Bytes are as they were measured last. */
export type MeteredUse = Record<Metered, number> & {
  plan: TeamPlan;
  driveMeasuredAt: string | null;
  /** The instant for the lake that was measured the longest ago. */
  lakesMeasuredAt: string | null;
};

/** Bytes that a statement has read at a team's own cluster. */
export const addClusterBytes = (db: Db, { teamId, month, bytes }: typeof clusterUses.$inferInsert) =>
  db
    .insert(clusterUses)
    .values({ teamId, month, bytes })
    .onConflictDoUpdate({
      target: [clusterUses.teamId, clusterUses.month],
      set: { bytes: sql`${clusterUses.bytes} + excluded.bytes` },
    });

export const findClusterBytes = async (db: Db, teamId: string, month: string): Promise<number> =>
  (
    await db
      .select({ bytes: clusterUses.bytes })
      .from(clusterUses)
      .where(and(eq(clusterUses.teamId, teamId), eq(clusterUses.month, month)))
      .get()
  )?.bytes ?? 0;

/** The bytes of a team's lakes: of current files, and of those that earlier snapshots keep. */
const lakeBytesOf = (teamId: string): SQL<number> =>
  sql`(select coalesce(sum((figures ->> '$.bytes.current') + (figures ->> '$.bytes.keptForSnapshots')), 0)
    from ${lakeSummaries} where team_id = ${teamId})`;

const lakesMeasuredAt = (teamId: string): SQL<string | null> =>
  sql`(select min(measured_at) from ${lakeSummaries} where team_id = ${teamId})`;

export async function selectMetered(db: Db, teamId: string, month: string): Promise<MeteredUse | undefined> {
  const row = await db
    .select({
      plan: teams.plan,
      runMs: monthUses.runMs,
      rowsSynced: monthUses.rowsSynced,
      driveBytes: driveMeasures.bytes,
      driveMeasuredAt: driveMeasures.measuredAt,
      lakeBytes: lakeBytesOf(teamId),
      lakesMeasuredAt: lakesMeasuredAt(teamId),
    })
    .from(teams)
    .leftJoin(monthUses, and(eq(monthUses.teamId, teamId), eq(monthUses.month, month)))
    .leftJoin(driveMeasures, eq(driveMeasures.teamId, teamId))
    .where(eq(teams.id, teamId))
    .get();
  if (!row) return undefined;
  const { plan, runMs, rowsSynced, driveBytes, driveMeasuredAt, ...lakes } = row;
  return {
    plan,
    ...lakes,
    runSeconds: Math.floor((runMs ?? 0) / 1_000),
    rowsSynced: rowsSynced ?? 0,
    driveBytes: driveBytes ?? 0,
    driveMeasuredAt,
  };
}
