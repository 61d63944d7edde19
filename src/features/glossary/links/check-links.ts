import { Problem, type Flaw } from "../../../core/problem.ts";
import { didYouMean } from "../../semantic/did-you-mean.ts";
import type { Link } from "../term.ts";
import { visibleNames, type NameDeps } from "./visible-names.ts";

/**
 * Throws `validation_failed` where a link leads nowhere that the caller may read. Links that a term has had before are
 * let be: their tables may be gone by now.
 */
export async function checkLinks(ctx: NameDeps, links: readonly Link[], before: readonly Link[] = []): Promise<void> {
  const isKnown = (link: Link) =>
    before.some(({ integration_id: id, name }) => id === link.integration_id && name === link.name);
  const added = links.map((link, i) => ({ link, i })).filter(({ link }) => !isKnown(link));
  const ids = [...new Set(added.map(({ link }) => link.integration_id))];
  const names = new Map(await Promise.all(ids.map(async (id) => [id, await visibleNames(ctx, id)] as const)));
  const flaws = added.flatMap(({ link, i }): Flaw[] => {
    const known = names.get(link.integration_id);
    if (!known) {
      const message = `Integration ${link.integration_id} was not found, or is neither a lake nor a semantic model.`;
      return [{ pointer: `/links/${i}/integration_id`, message }];
    }
    if (known.has(link.name)) return [];
    const message = `There is no ${link.name} in it.${didYouMean(link.name, [...known])}`;
    return [{ pointer: `/links/${i}/name`, message }];
  });
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more links lead nowhere.", flaws);
}
