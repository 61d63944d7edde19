// Every statement of teams' identity providers.

import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { teams } from "../../../platform/db/schema/schema.ts";
import { identityProviders, teamDomains } from "../../../platform/db/schema/team-schema.ts";
import { sealedRowsOf } from "../../../platform/db/sealed-rows.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { isProven } from "../domains/store.ts";
import { hasTeam } from "../store-teams.ts";
import type { ProviderRow } from "./provider.ts";

export const findProviderOf = (db: Db, teamId: string): Promise<ProviderRow | undefined> =>
  db.select().from(identityProviders).where(eq(identityProviders.teamId, teamId)).get();

/** One of whichever team that is there. */
export const findProvider = async (db: Db, id: string): Promise<ProviderRow | undefined> =>
  (
    await db
      .select({ provider: identityProviders })
      .from(identityProviders)
      .innerJoin(teams, and(eq(teams.id, identityProviders.teamId), isNull(teams.deletedAt)))
      .where(eq(identityProviders.id, id))
      .get()
  )?.provider;

/** The providers of the teams that a domain is proven to be of. */
export const selectProvidersFor = (db: Db, domain: string, rowsMax: number): Promise<{ id: string; name: string }[]> =>
  db
    .select({ id: identityProviders.id, name: identityProviders.name })
    .from(teamDomains)
    .innerJoin(identityProviders, eq(identityProviders.teamId, teamDomains.teamId))
    .innerJoin(teams, and(eq(teams.id, teamDomains.teamId), isNull(teams.deletedAt)))
    .where(isProven(domain))
    .orderBy(identityProviders.id)
    .limit(rowsMax);

/** One takes the place of the team's other. Returns the row, or nothing where the team is gone. */
export const saveProvider = (db: Db, row: ProviderRow) => {
  const { name, issuer, clientId, sealedSecret, vaultKeyId, updatedAt } = row;
  return db
    .insert(identityProviders)
    .select(sql`select ${valuesInSql(identityProviders, row)} where ${hasTeam(row.teamId)}`)
    .onConflictDoUpdate({
      target: identityProviders.teamId,
      set: { name, issuer, clientId, sealedSecret, vaultKeyId, updatedAt },
    })
    .returning();
};

export const deleteProviderRow = (db: Db, teamId: string) =>
  db.delete(identityProviders).where(eq(identityProviders.teamId, teamId)).returning({ id: identityProviders.id });

type ProviderName = Pick<ProviderRow, "teamId" | "id">;

/** True in SQL while the team has this provider. */
export const hasProvider = ({ teamId, id }: ProviderName): SQL =>
  sql`exists (select 1 from ${identityProviders} where team_id = ${teamId} and id = ${id})`;

/** True in SQL while the provider is what it was when it was read. */
export const isSameProvider = ({ teamId, id, issuer, clientId }: ProviderRow): SQL =>
  sql`exists (select 1 from ${identityProviders} where team_id = ${teamId} and id = ${id} and issuer = ${issuer}
    and client_id = ${clientId})`;

/** The rows that key rotation re-seals, of any team. */
export const sealedProviderSecrets = (db: Db) => sealedRowsOf(db, identityProviders, "sealedSecret");
