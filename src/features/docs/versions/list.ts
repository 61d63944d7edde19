import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import type { ListedDocVersion } from "../doc.ts";
import { withCreatorNames } from "../../teams/users/names.ts";
import { requireDoc } from "../find.ts";
import { selectVersions } from "../store.ts";

/** A page of a doc's versions, newest first; old ones beyond a bound are no longer there. */
export async function listDocVersions(
  ctx: Needs<"scope" | "db">,
  id: string,
  page: Page,
): Promise<PageOf<ListedDocVersion>> {
  const doc = await requireDoc(ctx, id);
  return withCreatorNames(ctx, await selectVersions(ctx.db, ctx.scope.teamId, doc.id, page));
}
