// Every statement of teams' domains. A read takes the team first.

import { and, asc, count, eq, isNotNull, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../../core/page.ts";
import type { Db } from "../../../platform/db/client.ts";
import { teamDomains } from "../../../platform/db/schema/team-schema.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { hasTeam } from "../store-teams.ts";
import { domainFrom, type DomainRow, type TeamDomain } from "./domain.ts";

const isDomain = (teamId: string, id: string): SQL => and(eq(teamDomains.teamId, teamId), eq(teamDomains.id, id))!;

export const selectDomains = (db: Db, teamId: string, page: Page): Promise<PageOf<TeamDomain>> =>
  selectPage(db, teamDomains, {
    where: eq(teamDomains.teamId, teamId),
    orderBy: [asc(teamDomains.domain)],
    page,
    toItem: domainFrom,
  });

export const findDomain = (db: Db, teamId: string, id: string): Promise<DomainRow | undefined> =>
  db.select().from(teamDomains).where(isDomain(teamId, id)).get();

/** Returns the row, or nothing where the team has this domain, or as many as may be. */
export const insertDomain = (db: Db, row: DomainRow, domainsMax: number) =>
  db
    .insert(teamDomains)
    .select(
      sql`select ${valuesInSql(teamDomains, row)} where ${hasTeam(row.teamId)}
        and (${db.select({ n: count() }).from(teamDomains).where(eq(teamDomains.teamId, row.teamId))}) < ${domainsMax}`,
    )
    .onConflictDoNothing()
    .returning({ id: teamDomains.id });

/** An operator vouches for the domain, whether the team has named it or not. Returns the row. */
export const vouchForDomain = (db: Db, row: DomainRow) =>
  db
    .insert(teamDomains)
    .select(sql`select ${valuesInSql(teamDomains, row)} where ${hasTeam(row.teamId)}`)
    .onConflictDoUpdate({
      target: [teamDomains.teamId, teamDomains.domain],
      set: { provenAt: row.provenAt, provenBy: row.provenBy },
    })
    .returning();

export const proveDomainRow = (db: Db, { teamId, id }: DomainRow, at: string) =>
  db.update(teamDomains).set({ provenAt: at, provenBy: "dns" }).where(isDomain(teamId, id)).returning();

export const deleteDomainRow = (db: Db, { teamId, id }: DomainRow) =>
  db.delete(teamDomains).where(isDomain(teamId, id)).returning({ id: teamDomains.id });

/** True in SQL while the team has the domain under this id. */
export const hasDomain = ({ teamId, id }: Pick<DomainRow, "teamId" | "id">): SQL =>
  sql`exists (select 1 from ${teamDomains} where team_id = ${teamId} and id = ${id})`;

/** True in SQL while the team has the domain by its name. */
export const hasDomainNamed = ({ teamId, domain }: Pick<DomainRow, "teamId" | "domain">): SQL =>
  sql`exists (select 1 from ${teamDomains} where team_id = ${teamId} and domain = ${domain})`;

/** True in SQL while the domain is proven to be the team's. */
export const isProvenDomain = (teamId: string, domain: string): SQL =>
  sql`exists (select 1 from ${teamDomains} where team_id = ${teamId} and domain = ${domain} and proven_at is not null)`;

/** True in SQL of a row of domains that is proven under this name. */
export const isProven = (domain: string): SQL => and(eq(teamDomains.domain, domain), isNotNull(teamDomains.provenAt))!;
