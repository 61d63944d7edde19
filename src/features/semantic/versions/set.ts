import { getCubeIntegration } from "../cube-integration.ts";
import type { NewModel } from "./model-version.ts";
import { saveModel, type SavedModel, type SaveDeps } from "./save.ts";

type Setting = {
  integrationId: string;
  input: NewModel;
  /** The version that the request's `If-Match` names; another one is `precondition_failed`. */
  ifMatch: number | undefined;
};

/** Puts other files in the model's place, as its next version. Queries under way go on with what they began with. */
export async function setSemanticModel(ctx: SaveDeps, { integrationId, input, ifMatch }: Setting): Promise<SavedModel> {
  const cube = await getCubeIntegration(ctx, integrationId);
  const { files, message, expected_version: expected } = input;
  return saveModel(ctx, cube, { action: "semantic_model.set", files, message, expected, ifMatch, restoredFrom: null });
}
