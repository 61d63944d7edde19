import { getCubeIntegration } from "../cube-integration.ts";
import { requireVersion } from "./get.ts";
import type { ModelRestoration } from "./model-version.ts";
import { saveModel, type SavedModel, type SaveDeps } from "./save.ts";

/** `ifMatch`: the version that the request's `If-Match` names. */
type Restoring = ModelRestoration & { ifMatch: number | undefined };

/** Brings the files of an earlier version back, as a new one: they are compiled again. */
export async function restoreSemanticModel(
  ctx: SaveDeps,
  integrationId: string,
  { version, message, expected_version: expected, ifMatch }: Restoring,
): Promise<SavedModel> {
  const cube = await getCubeIntegration(ctx, integrationId);
  const { files } = await requireVersion(ctx, cube.integration, version);
  const action = "semantic_model.restore";
  return saveModel(ctx, cube, { action, files, message, expected, ifMatch, restoredFrom: version });
}
