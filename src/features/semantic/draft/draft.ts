// A first model from what a database or a lake has: its tables, columns and keys.

import { z } from "@hono/zod-openapi";
import { SEMANTIC_LIMITS } from "../limits.ts";
import { invalidAt, type Problem } from "../../../core/problem.ts";
import { getCubeIntegration } from "../cube-integration.ts";
import { draftModel } from "../model/draft-model.ts";
import type { DraftDeps, Table } from "./draft-deps.ts";
import { listTables, withKeys } from "./list-tables.ts";
import { saveModel } from "../versions/save.ts";
import type { ModelFile, ModelVersion } from "../versions/model-version.ts";

export const NewDraft = z
  .strictObject({
    schemas: z
      .array(z.string().max(255))
      .min(1)
      .max(100)
      .openapi({ description: "Only tables of these; all when absent." }),
    tables: z
      .array(z.string().max(520))
      .min(1)
      .max(SEMANTIC_LIMITS.draftTablesMax)
      .openapi({ description: "Only these, each `schema.table`; all when absent." }),
    save: z.boolean().openapi({ description: "Whether to make it the model's first version; 409 where there is one." }),
  })
  .partial()
  .openapi("NewSemanticDraft", { example: { schemas: ["sample"], save: true } });
export type NewDraft = z.infer<typeof NewDraft>;

export type Draft = { files: ModelFile[]; model: ModelVersion | null; warnings: string[] };

/**
 * Drafts from the tables as the caller sees them. Nothing is kept unless `save` says so, and then only as a first
 * version.
 */
export async function draftSemanticModel(ctx: DraftDeps, integrationId: string, wanted: NewDraft): Promise<Draft> {
  const cube = await getCubeIntegration(ctx, integrationId);
  const { tables, warnings } = await withKeys(ctx, cube.base, selectTables(await listTables(ctx, cube.base), wanted));
  const files = draftModel(tables, cube.dialect);
  if (!wanted.save) return { files, model: null, warnings };
  const saved = await saveModel(ctx, cube, {
    action: "semantic_model.draft",
    files,
    message: "Drafted from the tables.",
    restoredFrom: null,
    expected: 0,
  });
  return { files, model: saved.model, warnings: [...warnings, ...saved.warnings] };
}

function selectTables(tables: readonly Table[], wanted: NewDraft): Table[] {
  const selected = tables.filter(
    ({ schema, name }) =>
      (wanted.schemas?.includes(schema) ?? true) && (wanted.tables?.includes(`${schema}.${name}`) ?? true),
  );
  if (selected.length === 0) throw refusal("There is no such table to describe.");
  if (selected.length > SEMANTIC_LIMITS.draftTablesMax)
    throw refusal(
      `There are ${selected.length} tables, and a draft describes at most ${SEMANTIC_LIMITS.draftTablesMax}: name the ` +
        "schemas or tables it is to be of.",
    );
  return selected;
}

const refusal = (message: string): Problem => invalidAt("/tables", message);
