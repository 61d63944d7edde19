import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { requireQuery } from "./find.ts";
import type { SavedQueryUse } from "./saved-query.ts";
import { selectUses } from "./store.ts";

/** A page of what depends on a saved query. */
export async function listSavedQueryUses(
  ctx: Needs<"scope" | "db">,
  id: string,
  page: Page,
): Promise<PageOf<SavedQueryUse>> {
  const query = await requireQuery(ctx, id);
  return selectUses(ctx.db, ctx.scope.teamId, query.id, page);
}
