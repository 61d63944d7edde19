// The statements that say what a caller's roles are. Each is one read, or one batch, so that what it says is of one
// moment.

import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import { EVERY } from "../../../kernel/access/access.ts";
import {
  accessMembers,
  accessRoles,
  userAttributes,
  type UserAttributes,
} from "../../platform/db/schema/access-schema.ts";
import type { Scope } from "../../core/scope.ts";
import type { Db } from "../../platform/db/client.ts";
import type { KeptGrant } from "./grant.ts";

type Who = Pick<Scope, "teamId" | "userId" | "accessRoleId">;

/** The name of a caller's access, without its content. */
export type AccessState = {
  /** No role of the team is there: it is open. */
  isOpen: boolean;
  /** Digests of the grants of the caller's roles. */
  grants: string[];
  namesAttributes: boolean;
  /** The digest of the caller's attributes. */
  attributes: string | null;
};

/** The condition for the roles that the caller's access is made of. */
const isHeld = ({ teamId, userId, accessRoleId }: Who): SQL =>
  and(
    eq(accessRoles.teamId, teamId),
    accessRoleId === undefined
      ? sql`${accessRoles.id} in (select role_id from ${accessMembers} where team_id = ${teamId} and user_id = ${userId})`
      : eq(accessRoles.id, accessRoleId),
  )!;

/** Who is bound by one role is no user, and has no attributes. */
const hasAttributes = ({ teamId, userId, accessRoleId }: Who): SQL =>
  accessRoleId === undefined ? and(eq(userAttributes.teamId, teamId), eq(userAttributes.userId, userId))! : sql`0`;

/** Who is bound by one role stays bound when that was the team's last. */
const isOpenTo = ({ teamId, accessRoleId }: Who): SQL<number> =>
  accessRoleId === undefined ? sql`not exists (select 1 from ${accessRoles} where team_id = ${teamId})` : sql`0`;

/** One row, whoever asks. */
const selectState = (db: Db, who: Who) =>
  db
    .select({
      isOpen: isOpenTo(who),
      roles: sql<string>`json_group_array(json_array(${accessRoles.grantsDigest}, ${accessRoles.namesAttributes}))`,
      attributes: sql<string | null>`(select digest from ${userAttributes} where ${hasAttributes(who)})`,
    })
    .from(accessRoles)
    .where(isHeld(who));

export async function findAccessState(db: Db, who: Who): Promise<AccessState> {
  return stateOf((await selectState(db, who))[0]!);
}

type StateRow = Awaited<ReturnType<typeof selectState>>[number];

function stateOf({ isOpen, roles, attributes }: StateRow): AccessState {
  const all = JSON.parse(roles) as [digest: string, namesAttributes: number][];
  return {
    isOpen: isOpen === 1,
    grants: [...new Set(all.map(([digest]) => digest))].sort(),
    namesAttributes: all.some(([, names]) => names === 1),
    attributes,
  };
}

/** The grants of a caller's roles in an integration, with the state in which they hold. */
export type AccessContent = { state: AccessState; roles: KeptGrant[][]; attributes: UserAttributes };

/** In one transaction. Roles that grant the same count once. */
export async function findAccessContent(db: Db, who: Who, integrationId: string): Promise<AccessContent> {
  const ofIntegration = sql<string>`(select json_group_array(json(held.value)) from json_each(${accessRoles.grants})
    as held where held.value ->> 'integration_id' in (${integrationId}, ${EVERY}))`;
  const [states, grants, attributes] = await db.batch([
    selectState(db, who),
    db
      .select({ grants: ofIntegration })
      .from(accessRoles)
      .where(isHeld(who))
      .groupBy(accessRoles.grantsDigest)
      .orderBy(accessRoles.grantsDigest),
    db.select({ attributes: userAttributes.attributes }).from(userAttributes).where(hasAttributes(who)),
  ]);
  return {
    state: stateOf(states[0]!),
    roles: grants.map((row) => JSON.parse(row.grants) as KeptGrant[]),
    attributes: attributes[0]?.attributes ?? {},
  };
}

export type HeldRole = { id: string; name: string; description: string | null; grants: KeptGrant[] };
export type HeldAccess = { isOpen: boolean; roles: HeldRole[]; attributes: UserAttributes };

/** A user's roles and attributes at one moment; the roles are in the order of their names. */
export async function findHeldAccess(db: Db, who: Who): Promise<HeldAccess> {
  const [roles, attributes, open] = await db.batch([
    db
      .select({
        id: accessRoles.id,
        name: accessRoles.name,
        description: accessRoles.description,
        grants: accessRoles.grants,
      })
      .from(accessRoles)
      .where(isHeld(who))
      .orderBy(asc(accessRoles.nameFolded), asc(accessRoles.id)),
    db.select({ attributes: userAttributes.attributes }).from(userAttributes).where(hasAttributes(who)),
    db.select({ isOpen: isOpenTo(who) }).from(sql`(select 1)`),
  ]);
  return {
    isOpen: open[0]!.isOpen === 1,
    roles: roles.map((role) => ({ ...role, grants: JSON.parse(role.grants) as KeptGrant[] })),
    attributes: attributes[0]?.attributes ?? {},
  };
}
