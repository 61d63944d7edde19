// Every statement of teams themselves, for operators. One that is on its way out is nowhere found.

import { and, asc, desc, eq, inArray, isNull, sql, type SQL } from "drizzle-orm";
import { foldText } from "../../../kernel/text/fold-name.ts";
import type { Page, PageOf } from "../../core/page.ts";
import { columnsOf, shownBy } from "../../http/shown-by.ts";
import type { Db } from "../../platform/db/client.ts";
import { selectPage } from "../../platform/db/select-page.ts";
import { teams, users } from "../../platform/db/schema/schema.ts";
import { valuesInSql } from "../../platform/db/values-in-sql.ts";
import { Team, type TeamOrder, type TeamPatch } from "./team.ts";

export type TeamFilter = { search?: string | undefined; plans?: Team["plan"][] | undefined };

const isTeam = (id: string): SQL => and(eq(teams.id, id), isNull(teams.deletedAt))!;

export async function findTeam(db: Db, id: string): Promise<Team | undefined> {
  const row = await db.select().from(teams).where(isTeam(id)).get();
  return row && teamOf(row);
}

export function selectTeams(
  db: Db,
  { search, plans }: TeamFilter,
  order: { by: TeamOrder; ascending: boolean },
  page: Page,
): Promise<PageOf<Team>> {
  const where = and(
    isNull(teams.deletedAt),
    search === undefined ? undefined : isFound(foldText(search)),
    plans && inArray(teams.plan, plans),
  );
  const column = { created_at: teams.createdAt, updated_at: teams.updatedAt, domain: teams.domain, plan: teams.plan }[
    order.by
  ];
  const direction = order.ascending ? asc : desc;
  return selectPage(db, teams, { where, orderBy: [direction(column), direction(teams.id)], page, toItem: teamOf });
}

/** `instr`, because LIKE patterns are bounded at 50 bytes here and know wildcards. Domains are in lower case. */
const isFound = (folded: string): SQL =>
  sql`(instr(${teams.nameFolded}, ${folded}) > 0 or instr(${teams.domain}, ${folded}) > 0)`;

export const insertTeam = (db: Db, team: Team) => db.insert(teams).values(teamRow(team));

/**
 * Nothing where an operator exists already: what follows in its batch then fails for want of a team, and all of it with
 * it.
 */
export const insertFirstTeam = (db: Db, team: Team) =>
  db.insert(teams).select(
    sql`select ${valuesInSql(teams, teamRow(team))}
      where not exists (select 1 from ${users} where is_operator = 1)`,
  );

export const hasOperator = async (db: Db): Promise<boolean> =>
  (await db.select({ id: users.id }).from(users).where(eq(users.isOperator, true)).limit(1).get()) !== undefined;

/** Returns the row, or nothing where the team is gone. */
export const updateTeamRow = (db: Db, id: string, { name, ...patch }: TeamPatch, at: string) =>
  db
    .update(teams)
    .set({ ...patch, ...(name === undefined ? {} : { name, nameFolded: foldText(name) }), updatedAt: at })
    .where(isTeam(id))
    .returning();

/** True in SQL while the team is there. */
export const hasTeam = (id: string): SQL => sql`exists (select 1 from ${teams} where ${isTeam(id)})`;

/** True in SQL while the team is there, and the user in it. */
export const hasUser = ({ teamId, userId }: { teamId: string; userId: string }): SQL =>
  sql`(${hasTeam(teamId)} and exists (select 1 from ${users} where id = ${userId} and team_id = ${teamId}))`;

type TeamRow = typeof teams.$inferSelect;

const teamRow = (team: Team): TeamRow => ({ ...columnsOf(team), nameFolded: foldText(team.name), deletedAt: null });

export const teamOf = (row: TeamRow): Team => shownBy(Team, row);
