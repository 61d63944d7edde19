import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { withCreatorNames } from "../../teams/users/names.ts";
import { requireQuery } from "../find.ts";
import type { ListedSavedQueryVersion } from "../saved-query.ts";
import { selectVersions } from "../store.ts";

/** A page of a saved query's versions, newest first; old ones beyond a bound are no longer there. */
export async function listSavedQueryVersions(
  ctx: Needs<"scope" | "db">,
  id: string,
  page: Page,
): Promise<PageOf<ListedSavedQueryVersion>> {
  const query = await requireQuery(ctx, id);
  return withCreatorNames(ctx, await selectVersions(ctx.db, ctx.scope.teamId, query.id, page));
}
