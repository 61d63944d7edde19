import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { getCubeIntegration } from "../cube-integration.ts";
import { selectModelVersions } from "../store.ts";
import type { ModelVersion } from "./model-version.ts";

/** A page of a model's versions, newest first; old ones beyond a bound are no longer there. */
export async function listSemanticModelVersions(
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  page: Page,
): Promise<PageOf<ModelVersion>> {
  const { integration } = await getCubeIntegration(ctx, integrationId);
  return selectModelVersions(ctx.db, { teamId: ctx.scope.teamId, integrationId: integration.id }, page);
}
