// The links of terms as one caller may see them.

import type { Link, ShownLink } from "../term.ts";
import { seesEverything, visibleNames, type NameDeps } from "./visible-names.ts";

/**
 * A link is shown where its table or member is. Who may read everything is shown those besides whose table or member is
 * gone, and that it is; to others a name that is gone and one that is hidden are alike.
 */
export async function showLinks<Linked extends { links: Link[] }>(
  ctx: NameDeps,
  items: readonly Linked[],
): Promise<(Omit<Linked, "links"> & { links: ShownLink[] })[]> {
  const ids = [...new Set(items.flatMap(({ links }) => links.map((link) => link.integration_id)))];
  const [isAll, ...sets] = await Promise.all([seesEverything(ctx), ...ids.map((id) => visibleNames(ctx, id))]);
  const names = new Map(ids.map((id, i) => [id, sets[i]]));
  const show = (link: Link): ShownLink => ({
    ...link,
    missing: names.get(link.integration_id)?.has(link.name) !== true,
  });
  return items.map((item) => ({ ...item, links: item.links.map(show).filter(({ missing }) => isAll || !missing) }));
}
