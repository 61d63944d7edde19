import type { Page, PageOf } from "../../../core/page.ts";
import type { Needs } from "../../../clients/context.ts";
import { withCreatorNames } from "../../teams/users/names.ts";
import { getCubeIntegration } from "../cube-integration.ts";
import { selectModelVersions } from "../store.ts";
import type { ListedModelVersion } from "./model-version.ts";

/** A page of a model's versions, newest first; old ones beyond a bound are no longer there. */
export async function listSemanticModelVersions(
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  page: Page,
): Promise<PageOf<ListedModelVersion>> {
  const { integration } = await getCubeIntegration(ctx, integrationId);
  const name = { teamId: ctx.scope.teamId, integrationId: integration.id };
  return withCreatorNames(ctx, await selectModelVersions(ctx.db, name, page));
}
