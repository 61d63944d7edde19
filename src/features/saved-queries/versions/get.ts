import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireQuery } from "../find.ts";
import type { SavedQueryVersionDetail } from "../saved-query.ts";
import { findVersion } from "../store.ts";

/** What a saved query said at one of its versions. */
export async function getSavedQueryVersion(
  ctx: Needs<"scope" | "db">,
  id: string,
  version: string,
): Promise<SavedQueryVersionDetail> {
  const query = await requireQuery(ctx, id);
  const found = /^\d{1,9}$/.test(version)
    ? await findVersion(ctx.db, ctx.scope.teamId, query.id, Number(version))
    : undefined;
  if (!found) throw notFound("Version", version);
  return found;
}
