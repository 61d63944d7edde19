import type { Needs } from "../../clients/context.ts";
import { readDefinition, requireQuery } from "./find.ts";
import type { SavedQueryDetail } from "./saved-query.ts";

/** A saved query with what it asks, archived or not. */
export async function getSavedQuery(ctx: Needs<"scope" | "db">, id: string): Promise<SavedQueryDetail> {
  const query = await requireQuery(ctx, id);
  return { ...(await readDefinition(ctx, query)), ...query };
}
