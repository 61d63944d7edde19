import { getCubeIntegration } from "../cube-integration.ts";
import type { NewModel } from "./model-version.ts";
import { saveModel, type SavedModel, type SaveDeps } from "./save.ts";

/** Puts other files in the model's place, as its next version. Queries under way go on with what they began with. */
export async function setSemanticModel(ctx: SaveDeps, integrationId: string, input: NewModel): Promise<SavedModel> {
  const cube = await getCubeIntegration(ctx, integrationId);
  const { files, message, expected_version: expected } = input;
  return saveModel(ctx, cube, { action: "semantic_model.set", files, message, expected, restoredFrom: null });
}
