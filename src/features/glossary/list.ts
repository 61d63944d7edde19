import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { GLOSSARY_LIMITS } from "./limits.ts";
import { showLinks } from "./links/show-links.ts";
import type { NameDeps } from "./links/visible-names.ts";
import { selectTerms } from "./store.ts";
import type { GlossaryTerm, KeptTerm } from "./term.ts";

/** A page of the team's terms, in the order of the alphabet, with the links that the caller may see. */
export async function listGlossaryTerms(ctx: NameDeps, page: Page): Promise<PageOf<GlossaryTerm>> {
  const { items, ...rest } = await selectTerms(ctx.db, ctx.scope.teamId, page);
  return { ...rest, items: await showLinks(ctx, items) };
}

/** All terms of the team by their words alone: links need {@link showLinks}. */
export const listTermWords = async ({ scope, db }: Needs<"scope" | "db">): Promise<KeptTerm[]> =>
  (await selectTerms(db, scope.teamId, { limit: GLOSSARY_LIMITS.termsPerTeamMax, offset: 0 })).items;
