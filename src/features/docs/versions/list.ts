import type { Needs } from "../../../platform/context.ts";
import type { DocVersion } from "../doc.ts";
import { requireDoc } from "../find.ts";
import { selectVersions, type Listed, type Window } from "../store.ts";

/** A page of a doc's versions, newest first; old ones beyond a bound are no longer there. */
export async function listDocVersions(
  ctx: Needs<"scope" | "db">,
  id: string,
  window: Window,
): Promise<Listed<DocVersion> & Window> {
  const doc = await requireDoc(ctx, id);
  return { ...(await selectVersions(ctx.db, ctx.scope.teamId, doc.id, window)), ...window };
}
