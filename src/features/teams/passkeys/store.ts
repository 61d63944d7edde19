// Every statement of passkeys. A read takes the team first, but the one that finds whose a credential is.

import { and, asc, count, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../../core/page.ts";
import { shownBy } from "../../../http/shown-by.ts";
import type { Db } from "../../../platform/db/client.ts";
import { teams } from "../../../platform/db/schema/schema.ts";
import { passkeys } from "../../../platform/db/schema/team-schema.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { hasTeam } from "../store-teams.ts";
import { Passkey } from "./passkey.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

const isOf = (teamId: string, userId: string): SQL => and(eq(passkeys.teamId, teamId), eq(passkeys.userId, userId))!;

export const selectPasskeys = (db: Db, teamId: string, userId: string, page: Page): Promise<PageOf<Passkey>> =>
  selectPage(db, passkeys, { where: isOf(teamId, userId), orderBy: [asc(passkeys.id)], page, toItem: passkeyOf });

/** The credentials that a user has for a host. */
export const selectCredentials = (db: Db, teamId: string, userId: string, host: string) =>
  db
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(and(isOf(teamId, userId), eq(passkeys.host, host)));

/**
 * Returns the row, or nothing where the team is gone, the user has as many, the credential is known, or `when` is not
 * true.
 */
export const insertPasskey = (db: Db, passkey: PasskeyRow, { when, passkeysMax }: { when: SQL; passkeysMax: number }) =>
  db
    .insert(passkeys)
    .select(
      sql`select ${valuesInSql(passkeys, passkey)} where ${when} and ${hasTeam(passkey.teamId)}
        and not exists (select 1 from ${passkeys} where credential_id = ${passkey.credentialId})
        and (${db.select({ n: count() }).from(passkeys).where(isOf(passkey.teamId, passkey.userId))}) < ${passkeysMax}`,
    )
    .returning({ id: passkeys.id });

export type PasskeyName = Pick<PasskeyRow, "teamId" | "id">;

/** True in SQL while the passkey is there. */
export const hasPasskey = ({ teamId, id }: PasskeyName): SQL =>
  sql`exists (select 1 from ${passkeys} where team_id = ${teamId} and id = ${id})`;

export const findPasskey = (db: Db, teamId: string, id: string): Promise<PasskeyRow | undefined> =>
  db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.teamId, teamId), eq(passkeys.id, id)))
    .get();

export const deletePasskeyRow = (db: Db, { teamId, id }: PasskeyName) =>
  db
    .delete(passkeys)
    .where(and(eq(passkeys.teamId, teamId), eq(passkeys.id, id)))
    .returning({ id: passkeys.id });

/** The passkey of whichever team that an authenticator names so. */
export const findByCredential = async (db: Db, credentialId: string, host: string): Promise<PasskeyRow | undefined> =>
  (
    await db
      .select({ passkey: passkeys })
      .from(passkeys)
      .innerJoin(teams, and(eq(teams.id, passkeys.teamId), isNull(teams.deletedAt)))
      .where(and(eq(passkeys.credentialId, credentialId), eq(passkeys.host, host)))
      .get()
  )?.passkey;

/**
 * True in SQL while an authenticator's count of uses is beyond the one that is known; those that do not count say 0
 * each time. A copy of an authenticator that is used beside it comes with a count that was seen already.
 */
export const isNewUse = ({ teamId, id }: PasskeyName, uses: number): SQL =>
  sql`exists (select 1 from ${passkeys} where team_id = ${teamId} and id = ${id}
    and (uses < ${uses} or (uses = 0 and ${uses} = 0)))`;

export const notePasskeyUse = (db: Db, { teamId, id }: PasskeyName, uses: number, at: string) =>
  db
    .update(passkeys)
    .set({ uses, usedAt: at })
    .where(and(eq(passkeys.teamId, teamId), eq(passkeys.id, id), isNewUse({ teamId, id }, uses)));

export const passkeyOf = (row: PasskeyRow): Passkey => shownBy(Passkey, row);
