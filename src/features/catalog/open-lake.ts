import type { Needs } from "../../clients/context.ts";
import { openReader, type Lake, type LakeReader } from "../../lake/lake.ts";
import { resolveAccess } from "../access/resolve.ts";
import { getLake } from "../integrations/get.ts";

/** A lake with what the caller may read of it. */
export async function openReadLake(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
): Promise<LakeReader & { lakeId: string; lake: Lake }> {
  const integration = await getLake(ctx, integrationId);
  const lake = ctx.openLake(integration.id);
  return { lakeId: integration.id, lake, ...(await openReader(lake, await resolveAccess(ctx, integration))) };
}
