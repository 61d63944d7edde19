// A new version of a model: compiled as a whole, then stored with all that belongs to it, or nothing of it.

import { SEMANTIC_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { getIntegration } from "../../integrations/get.ts";
import type { CubeIntegration } from "../cube-integration.ts";
import { loadModel } from "../load-model.ts";
import {
  deleteOldModelVersions,
  findNewestVersion,
  insertModelStatements,
  modelBytesGuard,
  sumModelBytes,
} from "../store.ts";
import { checkFiles } from "./check-files.ts";
import { compileFiles } from "./compile-files.ts";
import { warnOfMissingTables } from "./missing-tables.ts";
import { auditedModel, bytesOf, digestOf, inOrder, type ModelFile, type ModelVersion } from "./model-version.ts";

export type SaveDeps = Needs<"scope" | "db" | "openEngine" | "openLake">;
/** `expected`: the version that its sender has seen, 0 for none. */
export type Wanted = {
  action: "semantic_model.set" | "semantic_model.restore" | "semantic_model.draft";
  files: readonly ModelFile[];
  message: string | undefined;
  restoredFrom: number | null;
  expected: number | undefined;
  /** The version that the request's `If-Match` names. */
  ifMatch?: number | undefined;
};
export type SavedModel = { model: ModelVersion; warnings: string[] };

/**
 * Equal files are no change. Throws `resource_conflict` where the model is at another version than was expected, or
 * another one came in between; `precondition_failed` where `If-Match` named the version.
 */
export async function saveModel(
  ctx: SaveDeps,
  cube: CubeIntegration,
  { action, message, restoredFrom, expected, ifMatch, ...wanted }: Wanted,
): Promise<SavedModel> {
  const { scope, db } = ctx;
  const { integration, dialect } = cube;
  const name = { teamId: scope.teamId, integrationId: integration.id };
  checkFiles(wanted.files);
  const files = inOrder(wanted.files);
  const [before, digest] = await Promise.all([findNewestVersion(db, name), digestOf(files)]);
  refuseOtherThan(ifMatch, before, "precondition_failed");
  if (before?.digest === digest) {
    const { definitions } = await loadModel(ctx, integration, before);
    return { model: before, warnings: await warnOfMissingTables(ctx, cube, definitions) };
  }
  refuseOtherThan(expected, before);

  const { model, definitions, warnings } = await compileFiles(ctx, dialect, wanted.files);
  const version = nextVersion(ctx, before, { files, digest, message, restoredFrom });
  try {
    await db.batch([
      recordAudit(db, scope, action, {
        id: integration.id,
        before: before && auditedModel(before),
        after: auditedModel(version),
      }),
      ...insertModelStatements(db, name, { version, files, definitions }),
      deleteOldModelVersions(db, name, {
        newest: version.version,
        versionsMax: SEMANTIC_LIMITS.versionsKeptMax,
        bytesMax: SEMANTIC_LIMITS.versionsKeptBytesMax,
      }),
      modelBytesGuard(db, scope.teamId, SEMANTIC_LIMITS.bytesPerTeamMax),
    ]);
  } catch (error) {
    // Each is why nothing could be written; what else there is comes as it is.
    await getIntegration(ctx, integration.id);
    const code = ifMatch === undefined ? "resource_conflict" : "precondition_failed";
    refuseOtherThan(before?.version ?? 0, await findNewestVersion(db, name), code);
    await requireStorageSpace(ctx, version);
    throw error;
  }
  return { model: version, warnings: [...warnings, ...(await warnOfMissingTables(ctx, cube, model))] };
}

function refuseOtherThan(
  expected: number | undefined,
  found: ModelVersion | undefined,
  code: "resource_conflict" | "precondition_failed" = "resource_conflict",
): void {
  const version = found?.version ?? 0;
  if (expected === undefined || expected === version) return;
  throw new Problem(code, `The model is at version ${version} now, not at ${expected}; read it again.`);
}

function nextVersion(
  { scope }: Pick<SaveDeps, "scope">,
  before: ModelVersion | undefined,
  {
    files,
    digest,
    message,
    restoredFrom,
  }: { files: readonly ModelFile[]; digest: string; message: string | undefined; restoredFrom: number | null },
): ModelVersion {
  return {
    version: (before?.version ?? 0) + 1,
    digest,
    message: message ?? null,
    restored_from: restoredFrom,
    created_by: scope.userId,
    created_at: scope.now.toISOString(),
    file_count: files.length,
    bytes: files.reduce((sum, { content }) => sum + bytesOf(content), 0),
  };
}

/** Throws `business_quota_exceeded` where the team's models, of all versions, would grow past their bound. */
async function requireStorageSpace({ scope, db }: SaveDeps, { bytes }: ModelVersion): Promise<void> {
  if ((await sumModelBytes(db, scope.teamId)) + bytes <= SEMANTIC_LIMITS.bytesPerTeamMax) return;
  throw new Problem(
    "business_quota_exceeded",
    "A team's semantic models, with the versions that are kept, may have at most " +
      `${SEMANTIC_LIMITS.bytesPerTeamMax / 1024 / 1024} MiB together.`,
  );
}
