// The statements of a team's end: the tombstone with all that must not act any more, and then the rest, bit by bit.

import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ResourceFacts } from "../../../core/resource-types.ts";
import { claimDueRows, type Claim } from "../../../platform/db/claim-due-rows.ts";
import type { Db } from "../../../platform/db/client.ts";
import { alertDeliveries, alertWebhooks } from "../../../platform/db/schema/alert-schema.ts";
import { destinations } from "../../../platform/db/schema/destination-schema.ts";
import { linkedFiles } from "../../../platform/db/schema/linked-file-schema.ts";
import {
  apiKeys,
  docRuns,
  integrations,
  lakeCollections,
  lakeKeys,
  lakeSummaries,
  syncRuns,
  syncs,
  teams,
  users,
} from "../../../platform/db/schema/schema.ts";
import { outgoingMessages } from "../../../platform/db/schema/message-schema.ts";
import { endpointKeys } from "../../../platform/db/schema/question-schema.ts";
import { factOfType, isOfTypes } from "../../../platform/db/resource-types-in-sql.ts";
import {
  agentAuthorizations,
  identities,
  identityProviders,
  magicLinks,
  passkeys,
  sessions,
  teamDomains,
  teamRemovals,
} from "../../../platform/db/schema/team-schema.ts";
import type { TENANT_TABLES } from "../../../platform/db/tenant-tables.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { automationJobs, automationRuns } from "../../../platform/db/schema/work-schema.ts";

export type TeamRemoval = typeof teamRemovals.$inferSelect;
type TenantTable = (typeof TENANT_TABLES)[number];

// ── The tombstone ──────────────────────────────────────────────────────────────────────────────────────────────────

/** The work that has begun and not ended. */
const atWork = (table: typeof syncRuns | typeof automationRuns, teamId: string): SQL =>
  sql`${table} where team_id = ${teamId} and ended_at is null and state <> 'queued'`;
/** Work in a sandbox is stopped with it; work that writes to a lake has to end before. */
const isOfEngine = isOfTypes(sql`resource_type`, ({ worker }) => worker === "engine");

/** The team's syncs, and what else of it is at work in its engine. */
export const selectWork = (
  db: Db,
  teamId: string,
): Promise<{ what: "sync" | ResourceFacts["workKind"]; id: string }[]> =>
  db.all(sql`select 'sync' as what, id from ${atWork(syncRuns, teamId)}
    union all select ${factOfType(sql`resource_type`, "workKind")}, id from ${atWork(automationRuns, teamId)} and ${isOfEngine} order by id`);

export const hasOperatorOf = async (db: Db, teamId: string): Promise<boolean> =>
  (await db.$count(users, and(eq(users.teamId, teamId), eq(users.isOperator, true)))) > 0;

/**
 * Where the team is there, has no operator, and nothing of it is at work: a run that begins later finds itself gone,
 * and one that has begun before is seen here, for a database writes one thing at a time.
 */
export const insertRemoval = (db: Db, removal: TeamRemoval) =>
  db
    .insert(teamRemovals)
    .select(
      sql`select ${valuesInSql(teamRemovals, removal)}
        where exists (select 1 from ${teams} where id = ${removal.teamId} and deleted_at is null)
          and not exists (select 1 from ${users} where team_id = ${removal.teamId} and is_operator = 1)
          and not exists (select 1 from ${atWork(syncRuns, removal.teamId)})
          and not exists (select 1 from ${atWork(automationRuns, removal.teamId)} and ${isOfEngine})`,
    )
    .onConflictDoNothing()
    .returning({ teamId: teamRemovals.teamId });

/** True in SQL once {@link insertRemoval} has written this very removal. */
export const isRemoval = ({ teamId, id }: Pick<TeamRemoval, "teamId" | "id">): SQL =>
  sql`exists (select 1 from ${teamRemovals} where team_id = ${teamId} and id = ${id})`;

/**
 * Rows that could let somebody in, start something or be shown to somebody else: they are deleted with the tombstone.
 * Runs that wait or go on are among them, so that a step of one, or its key, finds nothing.
 */
const FIRST_TO_GO: readonly { table: SQLiteTable; which?: SQL }[] = [
  { table: magicLinks },
  { table: agentAuthorizations },
  { table: sessions },
  { table: passkeys },
  { table: identities },
  { table: identityProviders },
  { table: teamDomains },
  { table: apiKeys },
  { table: endpointKeys },
  { table: lakeKeys },
  { table: users },
  { table: integrations },
  { table: syncs },
  { table: automationJobs },
  { table: alertWebhooks },
  { table: destinations },
  { table: linkedFiles },
  { table: lakeCollections },
  { table: lakeSummaries },
  ...[syncRuns, automationRuns, docRuns, alertDeliveries, outgoingMessages].map((table) => ({
    ...{ table, which: sql`ended_at is null` },
  })),
];

export const buryStatements = (db: Db, { teamId, id, createdAt }: TeamRemoval) => {
  const isBuried = isRemoval({ teamId, id });
  return [
    db
      .update(teams)
      .set({ deletedAt: createdAt })
      .where(and(eq(teams.id, teamId), isBuried)),
    ...FIRST_TO_GO.map(({ table, which }) => db.delete(table).where(and(sql`team_id = ${teamId}`, isBuried, which))),
  ] as const;
};

// ── The rest ───────────────────────────────────────────────────────────────────────────────────────────────────────

export const findRemoval = (db: Db, teamId: string): Promise<TeamRemoval | undefined> =>
  db.select().from(teamRemovals).where(eq(teamRemovals.teamId, teamId)).get();

/** The columns that tell a team's rows apart in tables without a `rowid`. */
const KEYS: Partial<Record<TenantTable, SQL>> = {
  event_rollups: sql`type, span_minutes, start_minute`,
  month_uses: sql`month`,
  cluster_uses: sql`month`,
  lake_keys: sql`integration_id`,
  semantic_model_versions: sql`integration_id, version`,
  async_queries: sql`id`,
};

/** Says how many went, of at most so many. */
export async function deleteRowsOf(db: Db, table: TenantTable, teamId: string, rowsMax: number): Promise<number> {
  const [name, key] = [sql.identifier(table), KEYS[table] ?? sql`rowid`];
  const some = sql`select ${key} from ${name} where team_id = ${teamId} limit ${rowsMax}`;
  return (await db.run(sql`delete from ${name} where team_id = ${teamId} and (${key}) in (${some})`)).meta.changes;
}

/** Fails as long as any row points at the team. */
export const deleteTeamStatements = (db: Db, teamId: string) =>
  [
    db.delete(teamRemovals).where(eq(teamRemovals.teamId, teamId)),
    db.delete(teams).where(eq(teams.id, teamId)),
  ] as const;

export const setNextTry = (db: Db, teamId: string, nextTryAt: string) =>
  db.update(teamRemovals).set({ nextTryAt }).where(eq(teamRemovals.teamId, teamId));

/** Claims the removals to be tried. */
export const claimDueRemovals = (db: Db, claim: Claim): Promise<TeamRemoval[]> =>
  claimDueRows(db, { table: teamRemovals, key: teamRemovals.teamId, due: "nextTryAt" }, claim);
