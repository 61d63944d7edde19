// Every statement of integrations. A read takes the team first, so none can forget it; only a re-seal looks across
// teams.

import { and, asc, eq, inArray, not, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../core/page.ts";
import { columnsOf, shownBy } from "../../http/shown-by.ts";
import type { Db } from "../../platform/db/client.ts";
import { integrations } from "../../platform/db/schema/schema.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import type { Sealed } from "../../platform/crypto/vault.ts";
import { INTEGRATION_TYPES, type IntegrationType } from "./credentials/credentials.ts";
import { categoryOf, Integration, type TeamLake } from "./integration.ts";
import { sealedRowsOf } from "../../platform/db/sealed-rows.ts";

/** `types` absent: all. An empty list, like an unknown name or id, finds nothing. */
export type IntegrationFilter = {
  types?: IntegrationType[] | undefined;
  name?: string | undefined;
  id?: string | undefined;
};

const isIntegration = (teamId: string, id: string): SQL =>
  and(eq(integrations.teamId, teamId), eq(integrations.id, id))!;

export const findIntegration = async (db: Db, teamId: string, id: string): Promise<Integration | undefined> =>
  integrationOf(await db.select().from(integrations).where(isIntegration(teamId, id)).get());

/** An integration with the one that it names as its base, read at once. */
export async function findWithBase(
  db: Db,
  teamId: string,
  id: string,
): Promise<{ integration: Integration; base: Integration | undefined } | undefined> {
  const baseId = sql<string>`(select ${integrations.details} ->> 'integration_id' from ${integrations}
    where ${isIntegration(teamId, id)})`;
  const [[row], [base]] = await db.batch([
    db.select().from(integrations).where(isIntegration(teamId, id)),
    db
      .select()
      .from(integrations)
      .where(and(eq(integrations.teamId, teamId), eq(integrations.id, baseId))),
  ]);
  return row && { integration: integrationOf(row), base: integrationOf(base) };
}

export const findDefaultLake = async (db: Db, teamId: string): Promise<Integration | undefined> =>
  integrationOf(
    await db
      .select()
      .from(integrations)
      .where(and(eq(integrations.teamId, teamId), eq(integrations.isDefault, true)))
      .get(),
  );

/** Whose integration it is, whoever asks; for operators. */
export const findTeamOfIntegration = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.select({ teamId: integrations.teamId }).from(integrations).where(eq(integrations.id, id)).get())?.teamId;

/** The lakes of some teams, or of all of them; oldest first. */
export function selectLakes(db: Db, teamIds: string[] | undefined, page: Page): Promise<PageOf<TeamLake>> {
  const ofTeams = teamIds && sql`${integrations.teamId} in (select value from json_each(${JSON.stringify(teamIds)}))`;
  return selectPage(db, integrations, {
    where: and(eq(integrations.type, "lake"), ofTeams),
    orderBy: [asc(integrations.createdAt), asc(integrations.id)],
    page,
    toItem: ({ teamId, id, name }): TeamLake => ({ teamId, lakeId: id, name }),
  });
}

/** All of the team's where no ids are named; as many as it may have. */
export const selectIntegrationNames = (db: Db, teamId: string, ids: string[] | undefined) =>
  db
    .select({
      id: integrations.id,
      name: integrations.name,
      type: integrations.type,
      baseId: sql<string | null>`${integrations.details} ->> 'integration_id'`,
    })
    .from(integrations)
    .where(
      and(
        eq(integrations.teamId, teamId),
        ids && sql`${integrations.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      ),
    )
    .orderBy(asc(integrations.id)) as Promise<
    (Pick<Integration, "id" | "name" | "type"> & { baseId: string | null })[]
  >;

/** Oldest first. */
export async function selectIntegrations(
  db: Db,
  teamId: string,
  { types, name, id }: IntegrationFilter,
  page: Page,
): Promise<Integration[]> {
  const where = and(
    eq(integrations.teamId, teamId),
    types && inArray(integrations.type, types),
    name === undefined ? undefined : eq(integrations.name, name),
    id === undefined ? undefined : eq(integrations.id, id),
  );
  const rows = await db
    .select()
    .from(integrations)
    .where(where)
    .orderBy(asc(integrations.createdAt), asc(integrations.id))
    .limit(page.limit)
    .offset(page.offset);
  return rows.map((row) => integrationOf(row));
}

export const countIntegrations = (db: Db, teamId: string): Promise<number> =>
  db.$count(integrations, eq(integrations.teamId, teamId));

/** Undefined for a lake, which has none, and for a row that is gone. */
export async function findSealed(db: Db, teamId: string, id: string): Promise<string | undefined> {
  const row = await db
    .select({ sealed: integrations.sealedCredentials })
    .from(integrations)
    .where(isIntegration(teamId, id))
    .get();
  return row?.sealed ?? undefined;
}

/**
 * True in SQL where another integration of the team goes by this name, in whatever case: scripts look them up by it.
 */
const isTaken = (teamId: string, name: string, id: string): SQL =>
  sql`exists (select 1 from ${integrations} as other where other.team_id = ${teamId}
    and other.name = ${name} collate nocase and other.id <> ${id})`;

/** `id`: of the integration that is to have the name. */
export const isNameTaken = async (db: Db, teamId: string, name: string, id = ""): Promise<boolean> =>
  (await db.get<{ taken: number }>(sql`select ${isTaken(teamId, name, id)} as taken`)).taken === 1;

/** Fails, and its batch with it, where the name has been taken: no integration is without one. */
export const insertIntegration = (db: Db, teamId: string, integration: Integration, sealed: Sealed | null) => {
  const { name, ...row } = rowOf(teamId, integration, sealed);
  return db
    .insert(integrations)
    .values({ ...row, name: sql`case when ${isTaken(teamId, name, row.id)} then null else ${name} end` });
};

/** Returns the row, or nothing where another change has come in between, or a new name has been taken. */
export const updateIntegrationRow = (
  db: Db,
  teamId: string,
  { before, after, sealed }: { before: Integration; after: Integration; sealed: Sealed | undefined },
) =>
  db
    .update(integrations)
    .set({
      name: after.name,
      details: detailsColumn(after),
      updatedAt: after.updated_at,
      ...(sealed ? { sealedCredentials: sealed.text, vaultKeyId: sealed.keyId } : {}),
    })
    .where(
      and(
        isIntegration(teamId, before.id),
        eq(integrations.updatedAt, before.updated_at),
        after.name === before.name ? undefined : not(isTaken(teamId, after.name, before.id)),
      ),
    )
    .returning({ id: integrations.id });

/** True in SQL once {@link updateIntegrationRow} has written this version. */
export const hasIntegrationVersion = (teamId: string, { id, updated_at }: Integration): SQL =>
  sql`exists (select 1 from ${integrations} where team_id = ${teamId} and id = ${id} and updated_at = ${updated_at})`;

// ── What lies on another ───────────────────────────────────────────────────────────────────────────────────────────

const isClusterOf = (id: string): SQL => sql`(type = 'trino' and details ->> '$.lake_id' = ${id})`;
const isOn = (id: string): SQL => sql`(type = 'cube' and details ->> '$.integration_id' = ${id} or ${isClusterOf(id)})`;

/** True in SQL while no integration of type cube or trino lies on this one. */
export const hasNothingOn = (teamId: string, id: string): SQL =>
  sql`not exists (select 1 from ${integrations} where team_id = ${teamId} and ${isOn(id)})`;

/** The integrations of type trino that read this lake, oldest first. */
export const selectClustersOf = async (db: Db, teamId: string, lakeId: string): Promise<Integration[]> =>
  (
    await db
      .select()
      .from(integrations)
      .where(and(eq(integrations.teamId, teamId), isClusterOf(lakeId)))
      .orderBy(asc(integrations.createdAt), asc(integrations.id))
  ).map((row) => integrationOf(row));

/** The oldest of those that lie on this one. */
export const selectOn = (db: Db, teamId: string, id: string, rowsMax: number) =>
  db
    .select({ id: integrations.id, name: integrations.name })
    .from(integrations)
    .where(and(eq(integrations.teamId, teamId), isOn(id)))
    .orderBy(asc(integrations.id))
    .limit(rowsMax);

/** True in SQL while the integration exists. */
export const hasIntegrationRow = (teamId: string, id: string): SQL =>
  sql`exists (select 1 from ${integrations} where team_id = ${teamId} and id = ${id})`;

/** Returns the row, or nothing where it is gone already. */
export const deleteIntegrationRow = (db: Db, teamId: string, id: string) =>
  db.delete(integrations).where(isIntegration(teamId, id)).returning({ id: integrations.id });

// ── Re-sealing ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** The rows that key rotation re-seals, of any team. */
export const sealedCredentials = (db: Db) => sealedRowsOf(db, integrations, "sealedCredentials");

// ── Mapping ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Row = typeof integrations.$inferSelect;

const detailsColumn = ({ details: { name, type, ...shown } }: Integration): Record<string, string> => shown;

function rowOf(teamId: string, integration: Integration, sealed: Sealed | null): Row {
  const { category: _, details: __, ...fields } = integration;
  const own = { sealedCredentials: sealed?.text ?? null, vaultKeyId: sealed?.keyId ?? null };
  return { ...columnsOf(fields), teamId, details: detailsColumn(integration), ...own };
}

function integrationOf(row: Row): Integration;
function integrationOf(row: Row | undefined): Integration | undefined;
function integrationOf(row: Row | undefined): Integration | undefined {
  if (!row) return undefined;
  const type = INTEGRATION_TYPES.find((known) => known === row.type);
  if (!type) throw new Error(`Integration ${row.id} has the unknown type ${row.type}.`);
  const details = { ...row.details, name: row.name, type };
  return shownBy(Integration, row, { type, category: categoryOf(type), details });
}
