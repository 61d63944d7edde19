import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import type { Integration } from "../../integrations/integration.ts";
import { getCubeIntegration } from "../cube-integration.ts";
import { noModel } from "../load-model.ts";
import { findModelVersion, findNewestVersion } from "../store.ts";
import type { ModelVersionDetail } from "./model-version.ts";

/** The newest version with its files, or with the one at `path`. */
export async function getSemanticModel(
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  path?: string,
): Promise<ModelVersionDetail> {
  const { integration } = await getCubeIntegration(ctx, integrationId);
  const newest = await findNewestVersion(ctx.db, { teamId: ctx.scope.teamId, integrationId: integration.id });
  if (!newest) throw noModel(integration);
  const model = await requireVersion(ctx, integration, newest.version);
  if (path === undefined) return model;
  const files = model.files.filter((file) => file.path === path);
  if (files.length === 0) throw notFound("File", path);
  return { ...model, files };
}

/** A model at one of its versions. */
export async function getSemanticModelVersion(
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  version: string,
): Promise<ModelVersionDetail> {
  const { integration } = await getCubeIntegration(ctx, integrationId);
  return requireVersion(ctx, integration, versionNumber(version));
}

/** A text that is no version's number is treated as a version that does not exist. */
export function versionNumber(version: string): number {
  if (/^\d{1,9}$/.test(version)) return Number(version);
  throw notFound("Version", version);
}

export async function requireVersion(
  { scope, db }: Needs<"scope" | "db">,
  { id }: Pick<Integration, "id">,
  version: number,
): Promise<ModelVersionDetail> {
  const found = await findModelVersion(db, { teamId: scope.teamId, integrationId: id }, version);
  if (!found) throw notFound("Version", String(version));
  return found;
}
