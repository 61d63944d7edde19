import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { withCreatorNames } from "../../teams/users/names.ts";
import { requireTerm } from "../find.ts";
import { selectVersions } from "../store.ts";
import type { ListedGlossaryTermVersion } from "../term.ts";

/** A page of a term's versions, newest first; old ones beyond a bound are no longer there. */
export async function listGlossaryTermVersions(
  ctx: Needs<"scope" | "db">,
  id: string,
  page: Page,
): Promise<PageOf<ListedGlossaryTermVersion>> {
  const term = await requireTerm(ctx, id);
  return withCreatorNames(ctx, await selectVersions(ctx.db, ctx.scope.teamId, term.id, page));
}
