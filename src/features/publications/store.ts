// Every statement about publications, whatever their kind. A read takes the team first; only a re-seal looks across
// teams.

import { and, asc, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import type { Db } from "../../platform/db/client.ts";
import { accessMembers, accessRoles } from "../../platform/db/schema/access-schema.ts";
import { endpointKeys, publicationRollups, publications } from "../../platform/db/schema/question-schema.ts";
import { docs, teams, users } from "../../platform/db/schema/schema.ts";
import { sealedRowsOf } from "../../platform/db/sealed-rows.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import type { TeamPlan } from "../../core/teams/plans.ts";
import type { PublicationKind, PublicationRow, Publisher } from "./publication.ts";

const isPublication = (teamId: string, id: string): SQL =>
  and(eq(publications.teamId, teamId), eq(publications.id, id))!;

const isOfKind = (teamId: string, kind: PublicationKind): SQL =>
  and(eq(publications.teamId, teamId), eq(publications.kind, kind))!;

export const findPublication = (
  db: Db,
  teamId: string,
  kind: PublicationKind,
  id: string,
): Promise<PublicationRow | undefined> =>
  db
    .select()
    .from(publications)
    .where(and(isPublication(teamId, id), eq(publications.kind, kind)))
    .get();

/** By name. */
export const selectPublications = (
  db: Db,
  teamId: string,
  kind: PublicationKind,
  page: Page,
): Promise<PageOf<PublicationRow>> =>
  selectPage(db, publications, { where: isOfKind(teamId, kind), orderBy: [asc(publications.name)], page });

export const countPublications = (db: Db, teamId: string, kind: PublicationKind): Promise<number> =>
  db.$count(publications, isOfKind(teamId, kind));

/** Returns nothing where the team has one of this kind and name. */
export const insertPublication = (db: Db, row: PublicationRow) =>
  db.insert(publications).values(row).onConflictDoNothing().returning({ id: publications.id });

/** True in SQL while the publication is as it was seen. */
export const hasRevision = ({ teamId, id, revision }: PublicationRow): SQL =>
  sql`exists (select 1 from ${publications} where team_id = ${teamId} and id = ${id} and revision = ${revision})`;

/** Returns the row, or nothing where another change has come in between. */
export const updatePublicationRow = (db: Db, before: PublicationRow, after: PublicationRow) =>
  db
    .update(publications)
    .set(after)
    .where(and(isPublication(before.teamId, before.id), eq(publications.revision, before.revision)))
    .returning({ id: publications.id });

/** With its figures, which point at it. */
export const deletePublicationStatements = (db: Db, row: PublicationRow) => {
  const { teamId, id, revision } = row;
  return [
    db
      .delete(publicationRollups)
      .where(and(eq(publicationRollups.teamId, teamId), eq(publicationRollups.publicationId, id), hasRevision(row))),
    db.delete(publications).where(and(isPublication(teamId, id), eq(publications.revision, revision))),
  ] as const;
};

export const findRole = (db: Db, teamId: string, id: string) =>
  db
    .select({ namesAttributes: accessRoles.namesAttributes })
    .from(accessRoles)
    .where(and(eq(accessRoles.teamId, teamId), eq(accessRoles.id, id)))
    .get();

// ── Calls ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * All that decides on a call, as it is at this moment. `key`: the live key of this hash; endpoints alone
 * have keys.
 */
export type CalledPublication = {
  publication: PublicationRow;
  team: { name: string; plan: TeamPlan };
  publisher: Publisher | undefined;
  isRoleThere: boolean;
  isSubjectOpen: boolean;
  key: { id: string } | undefined;
};

type Called = { kind: PublicationKind; teamId: string; name: string; keyHash: string; at: string };

/** Whether what is published still answers. A saved query that is in use can't be archived; a doc can. */
const IS_SUBJECT_OPEN: Record<PublicationKind, SQL<number>> = {
  endpoint: sql<number>`1`,
  dashboard: sql<number>`exists (select 1 from ${docs} d where d.team_id = ${publications.teamId}
    and d.id = ${publications.subjectId} and d.archived_at is null)`,
};

/** In one read. */
export async function findCalled(
  db: Db,
  { kind, teamId, name, keyHash, at }: Called,
): Promise<CalledPublication | undefined> {
  const row = await db
    .select({
      publication: publications,
      team: { name: teams.name, plan: teams.plan },
      publisherRole: users.role,
      holdsRole: sql<number>`exists (select 1 from ${accessMembers} m where m.team_id = ${publications.teamId}
        and m.role_id = ${publications.roleId} and m.user_id = ${publications.publisherId})`,
      isRoleThere: sql<number>`exists (select 1 from ${accessRoles} r where r.team_id = ${publications.teamId}
        and r.id = ${publications.roleId})`,
      isSubjectOpen: IS_SUBJECT_OPEN[kind],
      keyId: endpointKeys.id,
    })
    .from(publications)
    .innerJoin(teams, and(eq(teams.id, publications.teamId), isNull(teams.deletedAt)))
    .leftJoin(users, and(eq(users.id, publications.publisherId), eq(users.teamId, publications.teamId)))
    .leftJoin(
      endpointKeys,
      and(
        eq(endpointKeys.teamId, publications.teamId),
        eq(endpointKeys.endpointId, publications.id),
        eq(endpointKeys.keyHash, keyHash),
        sql`(${endpointKeys.expiresAt} is null or ${endpointKeys.expiresAt} > ${at})`,
      ),
    )
    .where(and(isOfKind(teamId, kind), eq(publications.name, name)))
    .get();
  if (!row) return undefined;
  const { publication, team, publisherRole, holdsRole, isRoleThere, isSubjectOpen, keyId } = row;
  return {
    publication,
    team,
    publisher: publisherRole === null ? undefined : { role: publisherRole, holdsRole: holdsRole === 1 },
    isRoleThere: isRoleThere === 1,
    isSubjectOpen: isSubjectOpen === 1,
    key: keyId === null ? undefined : { id: keyId },
  };
}

/** The origins that may frame the dashboard of an address are read, whoever asks. */
export async function selectFramingOrigins(db: Db, teamId: string, name: string): Promise<string[]> {
  const row = await db
    .select({ origins: publications.frameAncestors })
    .from(publications)
    .innerJoin(teams, and(eq(teams.id, publications.teamId), isNull(teams.deletedAt)))
    .where(and(isOfKind(teamId, "dashboard"), eq(publications.name, name)))
    .get();
  return row?.origins ?? [];
}

// ── Re-seal ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The rows that key rotation re-seals, of any team. */
export const sealedPublicationSecrets = (db: Db) => sealedRowsOf(db, publications, "sealedSecrets");
