// A search of all that a caller may ask for, of each kind of hit.

import { stemOf, wordsOf } from "../../../../kernel/text/words.ts";
import { askedStemsOf, rank } from "./rank.ts";
import type { CatalogHit, HitKind } from "./hit.ts";
import { SEARCH_LIMITS } from "./limits.ts";
import { SEARCHED, type SearchedItem, type SearchDeps } from "./searched.ts";

export type CatalogSearch = { text: string; kinds: readonly HitKind[]; limit: number };

/**
 * The likest to the question first, whatever its kind. Throws what reading a lake's catalog throws; kinds that the
 * caller has no right to read are not searched.
 */
export async function searchCatalog(ctx: SearchDeps, { text, kinds, limit }: CatalogSearch): Promise<CatalogHit[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => (ctx.scope.rights.includes(SEARCHED[kind].right) ? SEARCHED[kind].list(ctx) : [])),
  );
  return rank(found.flat(), ({ fields }) => fields, text)
    .slice(0, limit)
    .map(({ item, score }) => ({ ...showItem(item, text), score: Number(score.toFixed(3)) }));
}

function showItem({ fields: _, columns, ...hit }: SearchedItem, text: string): Omit<CatalogHit, "score"> {
  const asked = askedStemsOf(text);
  const matching = columns.filter((column) => wordsOf(column).some((word) => asked.has(stemOf(word))));
  return { ...hit, columns: matching.slice(0, SEARCH_LIMITS.columnsShownMax) };
}
