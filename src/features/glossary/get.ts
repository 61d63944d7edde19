import { requireTerm } from "./find.ts";
import { showLinks } from "./links/show-links.ts";
import type { NameDeps } from "./links/visible-names.ts";
import type { GlossaryTerm } from "./term.ts";

/** A term, with the links that the caller may see. */
export const getGlossaryTerm = async (ctx: NameDeps, id: string): Promise<GlossaryTerm> =>
  (await showLinks(ctx, [await requireTerm(ctx, id)]))[0]!;
