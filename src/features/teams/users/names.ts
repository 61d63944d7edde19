// The names of people, for what shows who did something.

import type { PageOf } from "../../../core/page.ts";
import type { Needs, OfTeam } from "../../../clients/context.ts";
import { selectUserNames } from "../store.ts";

/** The names of these people of the team, by id; who is gone has none. */
export const findUserNames = ({ scope, db }: Needs<"db"> & OfTeam, ids: string[]): Promise<Map<string, string>> =>
  selectUserNames(db, scope.teamId, [...new Set(ids)]);

/** The page, with the name of who made each of its items. */
export async function withCreatorNames<Item extends { created_by: string }>(
  ctx: Needs<"db"> & OfTeam,
  { items, ...page }: PageOf<Item>,
): Promise<PageOf<Item & { created_by_name: string | null }>> {
  const names = await findUserNames(
    ctx,
    items.map(({ created_by: id }) => id),
  );
  return { ...page, items: items.map((item) => ({ ...item, created_by_name: names.get(item.created_by) ?? null })) };
}
