// Every statement of identities. A read takes the team first.

import { and, asc, eq, isNull, not, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../../core/page.ts";
import type { Db } from "../../../platform/db/client.ts";
import { users } from "../../../platform/db/schema/schema.ts";
import { identities, sessions } from "../../../platform/db/schema/team-schema.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { hasUser } from "../store-teams.ts";
import { identityFrom, type Identity, type IdentityRow } from "./identity.ts";

const isIdentity = ({ teamId, id }: Pick<IdentityRow, "teamId" | "id">): SQL =>
  and(eq(identities.teamId, teamId), eq(identities.id, id))!;

export const selectIdentities = (db: Db, teamId: string, userId: string, page: Page): Promise<PageOf<Identity>> =>
  selectPage(db, identities, {
    where: and(eq(identities.teamId, teamId), eq(identities.userId, userId)),
    orderBy: [asc(identities.id)],
    page,
    toItem: identityFrom,
  });

export const findIdentity = (db: Db, teamId: string, id: string): Promise<IdentityRow | undefined> =>
  db.select().from(identities).where(isIdentity({ teamId, id })).get();

/** Whose an account is, within the team of its provider. */
export const findBySubject = (
  db: Db,
  teamId: string,
  { issuer, subject }: Pick<IdentityRow, "issuer" | "subject">,
): Promise<IdentityRow | undefined> =>
  db
    .select()
    .from(identities)
    .where(and(eq(identities.teamId, teamId), eq(identities.issuer, issuer), eq(identities.subject, subject)))
    .get();

/** Returns the row, or nothing where the account or the user is bound at this issuer already, or `when` is not true. */
export const insertIdentity = (db: Db, row: IdentityRow, when: SQL) =>
  db
    .insert(identities)
    .select(sql`select ${valuesInSql(identities, row)} where ${when} and ${hasUser(row)}`)
    .onConflictDoNothing()
    .returning({ id: identities.id });

/** True in SQL while it is there. */
export const hasIdentity = ({ teamId, id }: Pick<IdentityRow, "teamId" | "id">): SQL =>
  sql`exists (select 1 from ${identities} where team_id = ${teamId} and id = ${id})`;

/** True in SQL while neither the account nor the user is bound at the issuer. */
export const isUnbound = ({ teamId, userId, issuer, subject }: IdentityRow): SQL =>
  sql`not exists (select 1 from ${identities} where team_id = ${teamId} and issuer = ${issuer}
    and (subject = ${subject} or user_id = ${userId}))`;

/** True in SQL of who is neither an admin nor an operator: an address alone binds nobody else. */
export const isPlainMember = ({ teamId, userId }: Pick<IdentityRow, "teamId" | "userId">): SQL =>
  sql`exists (select 1 from ${users} where id = ${userId} and team_id = ${teamId} and role = 'member'
    and is_operator = 0)`;

/**
 * Ends the sessions of an admin's that were made at an identity provider: which account made one is not known any more,
 * and it may be one that they have not bound themselves.
 */
export const endProviderSessions = (
  db: Db,
  person: Pick<IdentityRow, "teamId" | "userId">,
  { at, when }: { at: string; when: SQL },
) =>
  db
    .update(sessions)
    .set({ endedAt: at })
    .where(
      and(
        and(eq(sessions.teamId, person.teamId), eq(sessions.userId, person.userId), isNull(sessions.endedAt)),
        and(eq(sessions.method, "oidc"), not(isPlainMember(person)), when),
      ),
    );

export const noteIdentityUse = (db: Db, identity: IdentityRow, at: string) =>
  db.update(identities).set({ usedAt: at }).where(isIdentity(identity));

/** The user, signed in by another way, binds what an address had bound. */
export const consentToIdentity = (db: Db, identity: IdentityRow, { at, when }: { at: string; when: SQL }) =>
  db
    .update(identities)
    .set({ consentedAt: at })
    .where(and(isIdentity(identity), eq(identities.userId, identity.userId), when))
    .returning();

export const deleteIdentityRow = (db: Db, identity: IdentityRow) =>
  db.delete(identities).where(isIdentity(identity)).returning({ id: identities.id });
