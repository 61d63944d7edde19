import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { DocVersionDetail } from "../doc.ts";
import { requireDoc } from "../find.ts";
import { findVersion } from "../store.ts";

/** A doc's source at one of its versions. */
export async function getDocVersion(
  ctx: Needs<"scope" | "db">,
  id: string,
  version: string,
): Promise<DocVersionDetail> {
  const doc = await requireDoc(ctx, id);
  const found = /^\d{1,9}$/.test(version)
    ? await findVersion(ctx.db, ctx.scope.teamId, doc.id, Number(version))
    : undefined;
  if (!found) throw notFound("Version", version);
  return found;
}
