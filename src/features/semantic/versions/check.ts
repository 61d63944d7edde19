// The check of a model that nobody saves: whoever writes one sees its flaws as they type.

import { z } from "@hono/zod-openapi";
import { SEMANTIC_LIMITS } from "../limits.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import { getCubeIntegration } from "../cube-integration.ts";
import { checkFiles } from "./check-files.ts";
import { compileFiles } from "./compile-files.ts";
import { warnOfMissingTables } from "./missing-tables.ts";
import { FILE_EXAMPLE, ModelFile } from "./model-version.ts";
import type { SaveDeps } from "./save.ts";

export const ModelToCheck = z
  .strictObject({ files: z.array(ModelFile).min(1).max(SEMANTIC_LIMITS.filesMax) })
  .openapi("SemanticModelToCheck", { example: { files: [{ path: "cubes/orders.yml", content: FILE_EXAMPLE }] } });
export type ModelToCheck = z.infer<typeof ModelToCheck>;

export type CheckedModel = { flaws: readonly Flaw[]; warnings: string[] };

/** The flaws that saving these files would be refused with, or the warnings that it would answer. */
export async function checkSemanticModel(
  ctx: SaveDeps,
  integrationId: string,
  { files }: ModelToCheck,
): Promise<CheckedModel> {
  const cube = await getCubeIntegration(ctx, integrationId);
  try {
    checkFiles(files);
    const { model, warnings } = await compileFiles(ctx, cube.dialect, files);
    return { flaws: [], warnings: [...warnings, ...(await warnOfMissingTables(ctx, cube, model))] };
  } catch (error) {
    if (error instanceof Problem && error.code === "validation_failed") return { flaws: error.flaws, warnings: [] };
    throw error;
  }
}
