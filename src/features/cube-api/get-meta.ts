import { z } from "@hono/zod-openapi";
import type { Needs } from "../../clients/context.ts";
import { getSemanticMeta, SemanticMeta } from "../semantic/get-meta.ts";

export const CubeMeta = z.object({ cubes: SemanticMeta.shape.cubes }).openapi("CubeMeta");

/** The model as it is visible to the caller. */
export async function getCubeMeta(
  ctx: Needs<"scope" | "db" | "openLake">,
  { integrationId, onlyViews }: { integrationId: string; onlyViews: boolean },
): Promise<z.infer<typeof CubeMeta>> {
  const cubes = await getSemanticMeta(ctx, integrationId);
  return { cubes: onlyViews ? cubes.filter(({ type }) => type === "view") : cubes };
}
