// Every statement of agents' authorizations. A read takes the team first.

import { and, asc, desc, eq, gt, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { Page, PageOf } from "../../../core/page.ts";
import type { Caller } from "../../../core/scope.ts";
import { shownBy } from "../../../http/shown-by.ts";
import type { Db } from "../../../platform/db/client.ts";
import { deleteSome } from "../../../platform/db/delete-some.ts";
import { teams, users } from "../../../platform/db/schema/schema.ts";
import { agentAuthorizations } from "../../../platform/db/schema/team-schema.ts";
import { selectPage } from "../../../platform/db/select-page.ts";
import { valuesInSql } from "../../../platform/db/values-in-sql.ts";
import { isWorkingSession, type At } from "../sessions/store.ts";
import { hasUser } from "../store-teams.ts";
import { AgentAuthorization } from "./authorization.ts";

export type AuthorizationRow = typeof agentAuthorizations.$inferSelect;
export type AuthorizationName = Pick<AuthorizationRow, "teamId" | "id">;

const isNamed = ({ teamId, id }: AuthorizationName): SQL =>
  and(eq(agentAuthorizations.teamId, teamId), eq(agentAuthorizations.id, id))!;

const isOf = ({ teamId, userId }: Pick<AuthorizationRow, "teamId" | "userId">): SQL =>
  and(eq(agentAuthorizations.teamId, teamId), eq(agentAuthorizations.userId, userId))!;

/** True in SQL of a row that is good at the instant: it has not ended, nor has the session that it ends with. */
const isLive = (when: At): SQL =>
  and(
    gt(agentAuthorizations.expiresAt, when.at),
    or(isNull(agentAuthorizations.sessionId), isWorkingSession(agentAuthorizations.sessionId, when)),
  )!;

/** Returns the row, or nothing where team or user are gone, or `when` is not true. */
export const insertAuthorization = (db: Db, row: AuthorizationRow, when: SQL) =>
  db
    .insert(agentAuthorizations)
    .select(sql`select ${valuesInSql(agentAuthorizations, row)} where ${hasUser(row)} and ${when}`)
    .returning({ id: agentAuthorizations.id });

/** True in SQL once {@link insertAuthorization} has written it, until it ends. */
export const hasAuthorization = ({ teamId, id }: AuthorizationName): SQL =>
  sql`exists (select 1 from ${agentAuthorizations} where team_id = ${teamId} and id = ${id})`;

/** Ends the user's oldest beyond a number. */
export function deleteSurplusAuthorizations(db: Db, row: AuthorizationRow, rowsMax: number) {
  const kept = db
    .select({ id: agentAuthorizations.id })
    .from(agentAuthorizations)
    .where(isOf(row))
    .orderBy(desc(agentAuthorizations.id))
    .limit(rowsMax);
  return db.delete(agentAuthorizations).where(and(isOf(row), sql`${agentAuthorizations.id} not in ${kept}`));
}

/** Tokens are handed out once a generation: returns the row where `generation` was the newest, and it is good. */
export const advanceGeneration = (
  db: Db,
  name: AuthorizationName,
  { generation, when, expiresAt }: { generation: number; when: At; expiresAt: string },
) =>
  db
    .update(agentAuthorizations)
    .set({ generation: generation + 1, usedAt: when.at, expiresAt })
    .where(and(isNamed(name), eq(agentAuthorizations.generation, generation), isLive(when)))
    .returning();

export const findAuthorization = (db: Db, teamId: string, id: string): Promise<AuthorizationRow | undefined> =>
  db.select().from(agentAuthorizations).where(isNamed({ teamId, id })).get();

/** The person in whose name the agent acts, with what it may of theirs, while the authorization is good. */
export async function findAgentHolder(db: Db, name: AuthorizationName, when: At): Promise<Caller | undefined> {
  const row = await db
    .select({ authorization: agentAuthorizations, user: users, teamName: teams.name, plan: teams.plan })
    .from(agentAuthorizations)
    .innerJoin(users, and(eq(users.id, agentAuthorizations.userId), eq(users.teamId, agentAuthorizations.teamId)))
    .innerJoin(teams, eq(teams.id, users.teamId))
    .where(and(isNamed(name), gt(agentAuthorizations.generation, 0), isLive(when), isNull(teams.deletedAt)))
    .get();
  if (!row) return undefined;
  const { authorization, user, teamName, plan } = row;
  const { id, teamId, name: userName, email, role, isOperator } = user;
  return {
    ...{ teamId, teamName, plan, userId: id, userName, email, role, isOperator },
    ...{ keyId: authorization.id, scopes: authorization.scopes },
  };
}

export const deleteAuthorizationRow = (db: Db, name: AuthorizationName) =>
  db.delete(agentAuthorizations).where(isNamed(name)).returning({ id: agentAuthorizations.id });

/** The authorizations of a user that are good, oldest first. */
export const selectAuthorizations = (
  db: Db,
  owner: Pick<AuthorizationRow, "teamId" | "userId">,
  { page, when }: { page: Page; when: At },
): Promise<PageOf<AgentAuthorization>> =>
  selectPage(db, agentAuthorizations, {
    where: and(isOf(owner), isLive(when)),
    orderBy: [asc(agentAuthorizations.id)],
    page,
    toItem: authorizationOf,
  });

/** Forgets a bounded number of any team's that ended before the instant. */
export const deleteEndedAuthorizations = (db: Db, before: string, rowsMax: number) =>
  deleteSome(db, agentAuthorizations.id, lte(agentAuthorizations.expiresAt, before), rowsMax);

export const authorizationOf = (row: AuthorizationRow): AgentAuthorization =>
  shownBy(AgentAuthorization, row, { ends_with_session: row.sessionId !== null });
