// The newest model of an integration as queries need it, kept in the isolate by its version, which never changes.

import { SEMANTIC_LIMITS } from "./limits.ts";
import { LruMap } from "../../../kernel/text/lru-map.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../clients/context.ts";
import type { Integration } from "../integrations/integration.ts";
import type { LoadedModel } from "./loaded-model.ts";
import { findNewestModel, findNewestVersion } from "./store.ts";
import type { ModelVersion } from "./versions/model-version.ts";

/** By integration. `bytes`: of the model as JSON. */
const known = new LruMap<{ model: LoadedModel; bytes: number }>(
  SEMANTIC_LIMITS.modelCacheBytesMax,
  ({ bytes }) => bytes,
);

/** The version that queries are answered by; undefined where there is no model, or no such integration of the team. */
export const findNewest = ({ scope, db }: Needs<"db"> & OfTeam, id: string): Promise<ModelVersion | undefined> =>
  findNewestVersion(db, { teamId: scope.teamId, integrationId: id.toLowerCase() });

/** `newest`: see {@link findNewest}. Throws `resource_not_found` where the integration has no model yet. */
export async function loadModel(
  { scope, db }: Needs<"db"> & OfTeam,
  integration: Pick<Integration, "id" | "name">,
  newest: Pick<ModelVersion, "version"> | undefined,
): Promise<LoadedModel> {
  const { id } = integration;
  const name = { teamId: scope.teamId, integrationId: id };
  if (!newest) throw noModel(integration);
  const entry = known.get(id);
  if (entry?.model.version === newest.version) return entry.model;
  const read = await findNewestModel(db, name);
  if (!read) throw noModel(integration);
  known.set(id, read);
  return read.model;
}

export const noModel = ({ id, name }: Pick<Integration, "id" | "name">): Problem =>
  new Problem(
    "resource_not_found",
    `The integration ${name} has no model yet. PUT one to /v1/api/integrations/${id}/model, or have one drafted by ` +
      `POST /v1/api/integrations/${id}/model/draft.`,
  );
