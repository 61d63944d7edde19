import { notFound } from "../../../core/problem.ts";
import { requireTerm } from "../find.ts";
import { showLinks } from "../links/show-links.ts";
import type { NameDeps } from "../links/visible-names.ts";
import { findVersion } from "../store.ts";
import type { GlossaryTermVersionDetail } from "../term.ts";

/** What a term said at one of its versions, with the links that the caller may see now. */
export async function getGlossaryTermVersion(
  ctx: NameDeps,
  id: string,
  version: string,
): Promise<GlossaryTermVersionDetail> {
  const term = await requireTerm(ctx, id);
  const found = /^\d{1,9}$/.test(version)
    ? await findVersion(ctx.db, ctx.scope.teamId, term.id, Number(version))
    : undefined;
  if (!found) throw notFound("Version", version);
  return (await showLinks(ctx, [found]))[0]!;
}
