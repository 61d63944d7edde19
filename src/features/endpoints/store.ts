// Every statement about endpoints. A read takes the team first; only a re-seal looks across teams.

import { and, asc, eq, inArray, isNull, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import type { Sealed } from "../../platform/crypto/vault.ts";
import type { Db } from "../../platform/db/client.ts";
import { accessMembers, accessRoles } from "../../platform/db/schema/access-schema.ts";
import { endpointKeys, endpointRollups, endpoints } from "../../platform/db/schema/question-schema.ts";
import { teams, users } from "../../platform/db/schema/schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import type { TeamPlan } from "../../core/teams/plans.ts";
import type { EndpointRow, Publisher } from "./endpoint.ts";

const isEndpoint = (teamId: string, id: string): SQL => and(eq(endpoints.teamId, teamId), eq(endpoints.id, id))!;

export const findEndpoint = (db: Db, teamId: string, id: string): Promise<EndpointRow | undefined> =>
  db.select().from(endpoints).where(isEndpoint(teamId, id)).get();

/** By name. */
export const selectEndpoints = (db: Db, teamId: string, page: Page): Promise<PageOf<EndpointRow>> =>
  selectPage(db, endpoints, {
    where: eq(endpoints.teamId, teamId),
    orderBy: [asc(endpoints.name)],
    page,
    toItem: (row) => row,
  });

export const countEndpoints = (db: Db, teamId: string): Promise<number> =>
  db.$count(endpoints, eq(endpoints.teamId, teamId));

/** Returns nothing where the team has one of this name. */
export const insertEndpoint = (db: Db, row: EndpointRow) =>
  db.insert(endpoints).values(row).onConflictDoNothing().returning({ id: endpoints.id });

/** True in SQL while the endpoint is as it was seen. */
export const hasRevision = ({ teamId, id, revision }: EndpointRow): SQL =>
  sql`exists (select 1 from ${endpoints} where team_id = ${teamId} and id = ${id} and revision = ${revision})`;

/** Returns the row, or nothing where another change has come in between. */
export const updateEndpointRow = (db: Db, before: EndpointRow, after: EndpointRow) =>
  db
    .update(endpoints)
    .set(after)
    .where(and(isEndpoint(before.teamId, before.id), eq(endpoints.revision, before.revision)))
    .returning({ id: endpoints.id });

/** With its keys and its figures, which point at it. */
export const deleteEndpointStatements = (db: Db, row: EndpointRow) => {
  const { teamId, id, revision } = row;
  const isSeen = hasRevision(row);
  return [
    db.delete(endpointKeys).where(and(eq(endpointKeys.teamId, teamId), eq(endpointKeys.endpointId, id), isSeen)),
    db
      .delete(endpointRollups)
      .where(and(eq(endpointRollups.teamId, teamId), eq(endpointRollups.endpointId, id), isSeen)),
    db.delete(endpoints).where(and(isEndpoint(teamId, id), eq(endpoints.revision, revision))),
  ] as const;
};

export const findRole = (db: Db, teamId: string, id: string) =>
  db
    .select({ namesAttributes: accessRoles.namesAttributes })
    .from(accessRoles)
    .where(and(eq(accessRoles.teamId, teamId), eq(accessRoles.id, id)))
    .get();

// ── Calls ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** All that decides on a call, as it is at this moment. `key`: the live key of this hash. */
export type CalledEndpoint = {
  endpoint: EndpointRow;
  team: { name: string; plan: TeamPlan };
  publisher: Publisher | undefined;
  isRoleThere: boolean;
  key: { id: string } | undefined;
};

/** In one read. */
export async function findCalled(
  db: Db,
  { teamId, name, keyHash, at }: { teamId: string; name: string; keyHash: string; at: string },
): Promise<CalledEndpoint | undefined> {
  const row = await db
    .select({
      endpoint: endpoints,
      team: { name: teams.name, plan: teams.plan },
      publisherRole: users.role,
      holdsRole: sql<number>`exists (select 1 from ${accessMembers} m where m.team_id = ${endpoints.teamId}
        and m.role_id = ${endpoints.roleId} and m.user_id = ${endpoints.publisherId})`,
      isRoleThere: sql<number>`exists (select 1 from ${accessRoles} r where r.team_id = ${endpoints.teamId}
        and r.id = ${endpoints.roleId})`,
      keyId: endpointKeys.id,
    })
    .from(endpoints)
    .innerJoin(teams, and(eq(teams.id, endpoints.teamId), isNull(teams.deletedAt)))
    .leftJoin(users, and(eq(users.id, endpoints.publisherId), eq(users.teamId, endpoints.teamId)))
    .leftJoin(
      endpointKeys,
      and(
        eq(endpointKeys.teamId, endpoints.teamId),
        eq(endpointKeys.endpointId, endpoints.id),
        eq(endpointKeys.keyHash, keyHash),
        sql`(${endpointKeys.expiresAt} is null or ${endpointKeys.expiresAt} > ${at})`,
      ),
    )
    .where(and(eq(endpoints.teamId, teamId), eq(endpoints.name, name)))
    .get();
  if (!row) return undefined;
  const { endpoint, team, publisherRole, holdsRole, isRoleThere, keyId } = row;
  return {
    endpoint,
    team,
    publisher: publisherRole === null ? undefined : { role: publisherRole, holdsRole: holdsRole === 1 },
    isRoleThere: isRoleThere === 1,
    key: keyId === null ? undefined : { id: keyId },
  };
}

// ── Re-seal ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type SealedEndpoint = { id: string; teamId: string; sealed: string };

/** Rows of any team sealed under one of these keys. */
export async function selectEndpointsSealedUnder(db: Db, keyIds: string[], rowsMax: number): Promise<SealedEndpoint[]> {
  const rows = await db
    .select({ id: endpoints.id, teamId: endpoints.teamId, sealed: endpoints.sealedSecrets })
    .from(endpoints)
    .where(inArray(endpoints.vaultKeyId, keyIds))
    .limit(rowsMax);
  return rows.flatMap(({ sealed, ...row }) => (sealed === null ? [] : [{ ...row, sealed }]));
}

/** Returns the row, or nothing where the secrets have changed in between. */
export const resealEndpointRow = (db: Db, { teamId, id, sealed: before }: SealedEndpoint, after: Sealed) =>
  db
    .update(endpoints)
    .set({ sealedSecrets: after.text, vaultKeyId: after.keyId })
    .where(and(isEndpoint(teamId, id), eq(endpoints.sealedSecrets, before)))
    .returning({ id: endpoints.id });
