// Finds the semantic model that an address of Cube's API means: the one it names, or the team's only one.

import { CUBE_API } from "../../http/foreign-failures/cube-failure.ts";
import type { Needs } from "../../clients/context.ts";
import { getCubeIntegration } from "../semantic/cube-integration.ts";
import { getOnlyModel } from "../semantic/only-model.ts";

/** The `apiUrl` of a client of Cube, behind the installation's own address. */
const addressOf = (integrationId: string): string => `${CUBE_API}/${integrationId}/v1`;

/** Throws `resource_not_found` for an id that is no model's, and `validation_failed` where none is named. */
export async function findAddressed(
  ctx: Needs<"scope" | "db">,
  integrationId: string | undefined,
): Promise<{ integrationId: string }> {
  if (integrationId !== undefined) {
    const { integration } = await getCubeIntegration(ctx, integrationId);
    return { integrationId: integration.id };
  }
  const { id } = await getOnlyModel(ctx, {
    pointer: "",
    none: "This team has no integration of type cube. Create one, and give it a model.",
    several: "This team has several semantic models. Take the address of one of them as your apiUrl:",
    nameOf: ({ id: modelId, name }) => `${addressOf(modelId)} (${name})`,
  });
  return { integrationId: id };
}
