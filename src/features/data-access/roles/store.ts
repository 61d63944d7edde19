// Every statement about roles but those that say what a caller has. A read takes the team first.

import { and, asc, eq, ne, sql, type SQL } from "drizzle-orm";
import { DATA_ACCESS_LIMITS } from "../limits.ts";
import type { Page, PageOf } from "../../../core/page.ts";
import { shownBy } from "../../../http/shown-by.ts";
import { accessMembers, accessRoles } from "../../../platform/db/schema/access-schema.ts";
import type { Db } from "../../../platform/db/client.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { wholeGrant, type KeptGrant } from "../../access/grant.ts";
import { AccessRole, foldRoleName, type PackedGrants } from "./role.ts";

const isRole = (teamId: string, id: string): SQL => and(eq(accessRoles.teamId, teamId), eq(accessRoles.id, id))!;

/** `version` undefined: any. */
const isRoleAt = (teamId: string, id: string, version: number | undefined): SQL =>
  and(isRole(teamId, id), version === undefined ? undefined : eq(accessRoles.revision, version))!;

export async function findRole(db: Db, teamId: string, id: string): Promise<AccessRole | undefined> {
  const [rows, members] = await db.batch([
    db.select().from(accessRoles).where(isRole(teamId, id)),
    db
      .select({ count: sql<number>`count(*)` })
      .from(accessMembers)
      .where(and(eq(accessMembers.teamId, teamId), eq(accessMembers.roleId, id))),
  ]);
  return rows[0] && roleOf(rows[0], members[0]!.count);
}

/** In the order of their names. */
export async function selectRoles(db: Db, teamId: string, page: Page): Promise<PageOf<AccessRole>> {
  const found = await selectPage(db, accessRoles, {
    where: eq(accessRoles.teamId, teamId),
    orderBy: [asc(accessRoles.nameFolded), asc(accessRoles.id)],
    page,
  });
  const counts = await db
    .select({ roleId: accessMembers.roleId, count: sql<number>`count(*)` })
    .from(accessMembers)
    .where(
      and(
        eq(accessMembers.teamId, teamId),
        sql`${accessMembers.roleId} in (select value from json_each(${JSON.stringify(found.items.map(({ id }) => id))}))`,
      ),
    )
    .groupBy(accessMembers.roleId);
  const members = new Map(counts.map(({ roleId, count }) => [roleId, count]));
  return { ...found, items: found.items.map((row) => roleOf(row, members.get(row.id) ?? 0)) };
}

export const countRoles = (db: Db, teamId: string): Promise<number> =>
  db.$count(accessRoles, eq(accessRoles.teamId, teamId));

/** `id`: of the role that is to have the name. */
export const isNameTaken = async (db: Db, teamId: string, name: string, id = ""): Promise<boolean> =>
  (await db.$count(
    accessRoles,
    and(eq(accessRoles.teamId, teamId), eq(accessRoles.nameFolded, foldRoleName(name)), ne(accessRoles.id, id)),
  )) > 0;

export type GrantsRow = PackedGrants & { digest: string };

/** True in SQL where the grants of the team's other roles leave room for so many bytes. */
const leavesRoom = (teamId: string, id: string, bytes: number): SQL =>
  sql`(select coalesce(sum(other.grants_bytes), 0) from ${accessRoles} as other
    where other.team_id = ${teamId} and other.id <> ${id}) + ${bytes} <= ${DATA_ACCESS_LIMITS.grantBytesPerTeamMax}`;

/** Fails where another role has the name; nothing where the team has as many roles, or grants, as it may. */
export function insertRole(db: Db, teamId: string, role: AccessRole, grants: GrantsRow) {
  const { id, name, description, version: revision, created_at: createdAt, updated_at: updatedAt } = role;
  const values = valuesInSql(accessRoles, {
    id,
    teamId,
    name,
    nameFolded: foldRoleName(name),
    description,
    ...columnsOf(grants),
    createdAt,
    updatedAt,
    revision,
  });
  return db
    .insert(accessRoles)
    .select(
      sql`select ${values} where ${leavesRoom(teamId, id, grants.bytes)} and
        (select count(*) from ${accessRoles} as other where other.team_id = ${teamId}) < ${DATA_ACCESS_LIMITS.rolesPerTeamMax}`,
    )
    .returning({ id: accessRoles.id });
}

/** The fields that are there; `grants` absent: they stay. */
export type RoleChange = {
  name?: string;
  description?: string | null;
  grants?: GrantsRow;
  at: string;
  expected: number | undefined;
};

/**
 * Fails where another role has the name; nothing where the role is gone, is not at the version that was expected, or
 * there is no room for its grants.
 */
export const updateRoleRow = (
  db: Db,
  teamId: string,
  id: string,
  { name, description, grants, at, expected }: RoleChange,
) =>
  db
    .update(accessRoles)
    .set({
      ...(name !== undefined && { name, nameFolded: foldRoleName(name) }),
      ...(description !== undefined && { description }),
      ...(grants && columnsOf(grants)),
      updatedAt: at,
      revision: sql`${accessRoles.revision} + 1`,
    })
    .where(and(isRoleAt(teamId, id, expected), grants && leavesRoom(teamId, id, grants.bytes)))
    .returning();

const columnsOf = ({ text, bytes, digest, namesAttributes }: GrantsRow) => ({
  grants: text,
  grantsDigest: digest,
  grantsBytes: bytes,
  namesAttributes,
});

/** True in SQL while there is such a role; `at`: which was written then; `version`: which is at it. */
export const hasRole = (
  teamId: string,
  id: string,
  { at, version }: { at?: string; version?: number | undefined } = {},
): SQL =>
  sql`exists (select 1 from ${accessRoles} where team_id = ${teamId} and id = ${id}
    ${at === undefined ? sql`` : sql`and updated_at = ${at}`}
    ${version === undefined ? sql`` : sql`and revision = ${version}`})`;

export const deleteRoleRow = (db: Db, teamId: string, id: string, expected: number | undefined) =>
  db
    .delete(accessRoles)
    .where(isRoleAt(teamId, id, expected))
    .returning({ id: accessRoles.id });

export const roleOf = (row: typeof accessRoles.$inferSelect, members: number): AccessRole =>
  shownBy(AccessRole, row, {
    grants: (JSON.parse(row.grants) as KeptGrant[]).map(wholeGrant),
    members,
    version: row.revision,
  });
