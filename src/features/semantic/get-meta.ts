import { z } from "@hono/zod-openapi";
import type { Needs } from "../../clients/context.ts";
import { openVisibleModel } from "./visible-model.ts";

export const SemanticMeta = z
  .object({
    success: z.literal(true),
    cubes: z
      .array(z.looseObject({ name: z.string() }))
      .openapi({
        description:
          "Cubes and views with their measures, dimensions, segments, hierarchies and folders, in the form that Cube's " +
          "`/v1/meta` has: what clients of Cube read.",
      }),
  })
  .openapi("SemanticMeta");

const Visible = z.looseObject({ isVisible: z.boolean().optional() });
const Listed = z.looseObject({
  name: z.string(),
  measures: z.array(Visible),
  dimensions: z.array(Visible),
  segments: z.array(Visible),
});

/** The model's public members that no role hides from the caller. */
export async function getSemanticMeta(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
): Promise<z.infer<typeof Listed>[]> {
  const { model } = await openVisibleModel(ctx, integrationId);
  return model.meta
    .map((entry) => Listed.parse(entry))
    .map((entry) => ({
      ...entry,
      measures: entry.measures.filter(isVisible),
      dimensions: entry.dimensions.filter(isVisible),
      segments: entry.segments.filter(isVisible),
    }))
    .filter(({ measures, dimensions, segments }) => measures.length + dimensions.length + segments.length > 0);
}

const isVisible = ({ isVisible: visible = true }: z.infer<typeof Visible>): boolean => visible;
