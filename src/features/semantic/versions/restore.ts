import { getCubeIntegration } from "../cube-integration.ts";
import { requireVersion } from "./get.ts";
import type { ModelRestoration } from "./model-version.ts";
import { saveModel, type SavedModel, type SaveDeps } from "./save.ts";

/** Brings the files of an earlier version back, as a new one: they are compiled again. */
export async function restoreSemanticModel(
  ctx: SaveDeps,
  integrationId: string,
  { version, message, expected_version: expected }: ModelRestoration,
): Promise<SavedModel> {
  const cube = await getCubeIntegration(ctx, integrationId);
  const { files } = await requireVersion(ctx, cube.integration, version);
  return saveModel(ctx, cube, { action: "semantic_model.restore", files, message, expected, restoredFrom: version });
}
