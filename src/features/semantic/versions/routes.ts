// /v1/api/integrations/{integration_id}/model: the files of a semantic model, and their versions.

import { z } from "@hono/zod-openapi";
import { SEMANTIC_LIMITS } from "../limits.ts";
import { orNull, orYaml, succeeded } from "../../../http/answer.ts";
import { FlawDocument } from "../../../http/failures.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { expectedVersion, IF_MATCH, taggedBy } from "../../../http/request/version-tag.ts";
import { createRouter } from "../../../http/router.ts";
import { draftSemanticModel, NewDraft } from "../draft/draft.ts";
import { checkSemanticModel, ModelToCheck } from "./check.ts";
import { getSemanticModelDiff, ModelDiff } from "./diff.ts";
import { fileOfText, textOf } from "./file-text.ts";
import { getSemanticModel, getSemanticModelVersion } from "./get.ts";
import { listSemanticModelVersions } from "./list.ts";
import {
  FILE_EXAMPLE,
  ListedModelVersion,
  ModelFile,
  ModelRestoration,
  ModelVersion,
  ModelVersionDetail,
  NewModel,
} from "./model-version.ts";
import { restoreSemanticModel } from "./restore.ts";
import { setSemanticModel } from "./set.ts";

export const semanticModels = createRouter(["Semantic models", "Extensions"]);

const Path = z.object({ integration_id: z.string() });
const FileQuery = z.strictObject({
  path: z.string().optional().openapi({ description: "One file of the model alone.", example: "cubes/orders.yml" }),
});
const VersionPath = Path.extend({ version: z.string() });
const ok = { success: z.literal(true) };
const Warnings = z
  .array(z.string())
  .openapi({
    description:
      "What the files have and nothing here needs: it is kept, and changes no answer. And cubes whose `sql_table` names " +
      "a table that the lake has not now.",
  });
const Saved = z.object({ ...ok, model: ModelVersion, warnings: Warnings }).openapi("SavedSemanticModel");
const Found = z.object({ ...ok, model: ModelVersionDetail }).openapi("FoundSemanticModel");
const Drafted = z
  .object({
    ...ok,
    files: z.array(ModelFile),
    model: orNull(ModelVersion).openapi({ description: "The version that was saved, if one was asked for." }),
    warnings: Warnings,
  })
  .openapi("SemanticDraft");
const Checked = z.object({ ...ok, flaws: z.array(FlawDocument), warnings: Warnings }).openapi("CheckedSemanticModel");
const VersionPage = z
  .object({
    ...ok,
    data: z.array(ListedModelVersion),
    total: z.number().int(),
    limit: z.number().int(),
    offset: z.number().int(),
  })
  .openapi("SemanticModelVersionPage");
const modelTagged = taggedBy(({ model }: { model: { version: number } }) => model);
const SAVING = [
  "resource_not_found",
  "resource_conflict",
  "query_failed",
  "query_timeout",
  "engine_unavailable",
] as const;

semanticModels.operation("setSemanticModel", "PUT /{integration_id}/model", {
  permission: "integrations:write",
  audit: "semantic_model.set",
  summary: "Put a semantic model in place",
  description:
    "All of its files, in Cube's YAML: cubes, views, joins, measures, dimensions, segments, granularities, hierarchies " +
    "and folders. The model is compiled as a whole; nothing is stored where anything is wrong with it, and every flaw " +
    'names its file, line and member. The same files again are no change. Send `If-Match: "<version>"` to change only ' +
    "what you have read; 412 says that it is another by now. At most " +
    `${SEMANTIC_LIMITS.filesMax} files of ${SEMANTIC_LIMITS.fileBytesMax / 1024} KiB, ` +
    `${SEMANTIC_LIMITS.modelBytesMax / 1024 / 1024} MiB together. With \`path\` that file alone is put in place, and the others ` +
    "stay: `files` has it alone, or the body is its text, as `Content-Type: application/yaml`.",
  params: Path,
  query: FileQuery,
  body: NewModel,
  yamlBody: { ofText: fileOfText, example: FILE_EXAMPLE },
  requestHeaders: IF_MATCH,
  answer: modelTagged(succeeded("The version that is in place now", Saved)),
  fails: [...SAVING, "precondition_failed"],
  run: (ctx, { params, query, body }) =>
    setSemanticModel(ctx, {
      ...{ integrationId: params.integration_id, path: query.path, input: body },
      ifMatch: expectedVersion(ctx.request),
    }),
});

semanticModels.operation("getSemanticModel", "GET /{integration_id}/model", {
  permission: "integrations:write",
  summary: "Get a semantic model's files",
  description:
    "Of its newest version, each to the character; with `path` that file alone. With `Accept: application/yaml` the text " +
    "alone of that file, or of a model's only one. The `ETag` is what a change sends as `If-Match`.",
  params: Path,
  query: FileQuery,
  answer: orYaml(({ model }) => textOf(model), modelTagged(succeeded("The newest version", Found))),
  run: async (ctx, { params, query }) => ({ model: await getSemanticModel(ctx, params.integration_id, query.path) }),
});

semanticModels.operation("listSemanticModelVersions", "GET /{integration_id}/model/versions", {
  permission: "integrations:write",
  summary: "List a semantic model's versions",
  description:
    `Newest first, without their files. The newest ${SEMANTIC_LIMITS.versionsKeptMax} are kept, of large models as many ` +
    `as have ${SEMANTIC_LIMITS.versionsKeptBytesMax / 1024 / 1024} MiB together.`,
  params: Path,
  query: z.strictObject(
    pageParameters({ limitMax: SEMANTIC_LIMITS.versionsKeptMax, limitDefault: SEMANTIC_LIMITS.versionsKeptMax }),
  ),
  answer: succeeded("A page of versions", VersionPage),
  run: async (ctx, { params, query }) => {
    const { items, ...page } = await listSemanticModelVersions(ctx, params.integration_id, query);
    return { data: items, ...page };
  },
});

semanticModels.operation("getSemanticModelVersion", "GET /{integration_id}/model/versions/{version}", {
  permission: "integrations:write",
  summary: "Get what a semantic model was at one version",
  description: "Its files to the character. Versions beyond those that are kept are not found.",
  params: VersionPath,
  answer: succeeded("The version", Found),
  run: async (ctx, { params }) => ({
    model: await getSemanticModelVersion(ctx, params.integration_id, params.version),
  }),
});

semanticModels.operation("getSemanticModelDiff", "GET /{integration_id}/model/versions/{version}/diff", {
  permission: "integrations:write",
  summary: "Compare two versions of a semantic model",
  description:
    "Its files as unified diffs, and the names of cubes, views and members that differ once the files are read: " +
    "moving a cube to another file changes no member.",
  params: VersionPath,
  query: z.strictObject({
    against: z
      .string()
      .regex(/^\d{1,9}$/, "Send a whole number.")
      .transform(Number)
      .optional()
      .openapi({
        type: "integer",
        minimum: 0,
        maximum: 999_999_999,
        description: "The version to compare with, 0 for an empty model; the version before when absent.",
      }),
  }),
  answer: succeeded("What differs", z.object({ ...ok, ...ModelDiff.shape })),
  run: (ctx, { params, query }) =>
    getSemanticModelDiff(ctx, params.integration_id, { version: params.version, against: query.against }),
});

semanticModels.operation("restoreSemanticModel", "POST /{integration_id}/model/restore", {
  permission: "integrations:write",
  audit: "semantic_model.restore",
  summary: "Bring an earlier version of a semantic model back",
  description:
    "As a new version, with the files of the earlier one, which are compiled again. `If-Match` is as of putting a model " +
    "in place.",
  params: Path,
  body: ModelRestoration,
  requestHeaders: IF_MATCH,
  answer: modelTagged(succeeded("The version that is in place now", Saved)),
  fails: [...SAVING, "precondition_failed"],
  run: (ctx, { params, body }) =>
    restoreSemanticModel(ctx, params.integration_id, { ...body, ifMatch: expectedVersion(ctx.request) }),
});

semanticModels.operation("checkSemanticModel", "POST /{integration_id}/model/check", {
  permission: "integrations:write",
  audit: "none",
  reads: true,
  summary: "Check a semantic model without saving it",
  description:
    "Its files are read and compiled as a whole, as they are when they are put in place: `flaws` are those that this " +
    "would be refused with, each with its file, line and member. None are left where it can be saved.",
  params: Path,
  body: ModelToCheck,
  answer: succeeded("What is wrong with it", Checked),
  fails: ["resource_not_found", "query_failed", "query_timeout", "engine_unavailable"],
  run: async (ctx, { params, body }) => {
    const { flaws, warnings } = await checkSemanticModel(ctx, params.integration_id, body);
    return { flaws: [...flaws], warnings };
  },
});

semanticModels.operation("draftSemanticModel", "POST /{integration_id}/model/draft", {
  permission: "integrations:write",
  audit: "semantic_model.draft",
  summary: "Draft a first semantic model from the tables there are",
  description:
    "A cube for each table, joins by foreign keys, numbers as sums, times as dimensions. A lake has no keys: there, " +
    "columns that are called like keys are taken for them where their values are all different by now, which " +
    "`warnings` says. The files are answered and " +
    `nothing is kept, unless \`save\` makes them the first version. At most ${SEMANTIC_LIMITS.draftTablesMax} tables.`,
  params: Path,
  optionalBody: NewDraft,
  answer: succeeded("The files, and the version if they were saved", Drafted),
  fails: [...SAVING, "connection_failed", "source_unreachable", "source_unavailable"],
  run: (ctx, { params, body }) => draftSemanticModel(ctx, params.integration_id, body),
});
