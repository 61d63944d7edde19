// The newest model of an integration as queries need it, kept in the isolate by its version, which never changes.

import { LIMITS } from "../../core/limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs, OfTeam } from "../../platform/context.ts";
import type { Integration } from "../integrations/integration.ts";
import type { LoadedModel } from "./loaded-model.ts";
import { findNewestModel, findNewestVersion } from "./store.ts";

/** By integration, the longest unused first. `bytes`: of the model as JSON. */
const known = new Map<string, { model: LoadedModel; bytes: number }>();
let knownBytes = 0;

/** Throws `resource_not_found` where the integration has no model yet. */
export async function loadModel(
  { scope, db }: Needs<"db"> & OfTeam,
  integration: Pick<Integration, "id" | "name">,
): Promise<LoadedModel> {
  const { id } = integration;
  const name = { teamId: scope.teamId, integrationId: id };
  const newest = await findNewestVersion(db, name);
  if (!newest) throw noModel(integration);
  const entry = known.get(id);
  if (entry?.model.version === newest.version) {
    remember(id, entry);
    return entry.model;
  }
  const read = await findNewestModel(db, name);
  if (!read) throw noModel(integration);
  remember(id, read);
  return read.model;
}

export const noModel = ({ id, name }: Pick<Integration, "id" | "name">): Problem =>
  new Problem(
    "resource_not_found",
    `The integration ${name} has no model yet. PUT one to /v1/api/integrations/${id}/model, or have one drafted by ` +
      `POST /v1/api/integrations/${id}/model/draft.`,
  );

function remember(id: string, entry: { model: LoadedModel; bytes: number }): void {
  forget(id);
  known.set(id, entry);
  knownBytes += entry.bytes;
  for (const oldest of known.keys()) {
    if (knownBytes <= LIMITS.semanticModelCacheBytesMax) break;
    forget(oldest);
  }
}

function forget(id: string): void {
  knownBytes -= known.get(id)?.bytes ?? 0;
  known.delete(id);
}
