// A saved query by its id, with what it says; and who may change it.

import { notFound, Problem } from "../../core/problem.ts";
import type { Scope } from "../../core/scope.ts";
import type { Needs } from "../../clients/context.ts";
import type { SavedDefinition, SavedQuery } from "./saved-query.ts";
import { findQueryRow, findVersion, selectDefinitions } from "./store.ts";

/** Another team's answers exactly as a missing one. */
export async function requireQuery({ scope, db }: Needs<"scope" | "db">, id: string): Promise<SavedQuery> {
  const query = await findQueryRow(db, scope.teamId, id.toLowerCase());
  if (!query) throw notFound("Query", id);
  return query;
}

/** The definition of its newest version. */
export const readDefinition = async (ctx: Needs<"scope" | "db">, query: SavedQuery): Promise<SavedDefinition> =>
  (await readNewest(ctx, query)).definition;

/** Its newest version, with who wrote it and when. */
export async function readNewest(
  { scope, db }: Needs<"scope" | "db">,
  { id, version }: SavedQuery,
): Promise<{ definition: SavedDefinition; written: Written }> {
  const found = await findVersion(db, scope.teamId, id, version);
  if (!found) throw new Error(`Saved query ${id} lacks its version ${version}.`);
  const { version: _, created_by: by, created_at: at, ...definition } = found;
  return { definition, written: { by, at } };
}

/** The definitions of the queries that are still at the version they were seen at, by id. */
export const readDefinitions = async (
  { scope, db }: Needs<"scope" | "db">,
  queries: readonly SavedQuery[],
): Promise<Map<string, SavedDefinition>> => {
  const kept = await selectDefinitions(db, scope.teamId, queries);
  return new Map(kept.map(({ queryId, definition }) => [queryId, definition]));
};

/** `by`: the id of who wrote a version. */
export type Written = { by: string; at: string };

export const mayManage = ({ rights }: Pick<Scope, "rights">): boolean => rights.includes("queries:manage");

/** Throws 403 for a query of somebody else's, but to admins. */
export function requireOwn(scope: Scope, { owner_id: ownerId }: SavedQuery): void {
  if (ownerId === scope.userId || mayManage(scope)) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    "This saved query is another user's: its owner changes it, or who has the right queries:manage.",
  );
}
