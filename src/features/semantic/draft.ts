// A first model from what a database or a lake has: its tables, columns and keys.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../core/limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../platform/context.ts";
import { valueOf } from "../../platform/lake/answer.ts";
import { openReader } from "../../platform/lake/lake.ts";
import { resolveAccess } from "../data-access/resolve.ts";
import type { Base } from "../integrations/cube/base.ts";
import { isSource, openCredentials, sourceOf } from "../integrations/open-source.ts";
import { getCubeIntegration } from "./cube-integration.ts";
import { draftModel, type DraftTable } from "./model/draft-model.ts";
import { saveModel } from "./versions/save.ts";
import type { ModelFile, ModelVersion } from "./versions/model-version.ts";

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
      .max(LIMITS.semanticDraftTablesMax)
      .openapi({ description: "Only these, each `schema.table`; all when absent." }),
    save: z.boolean().openapi({ description: "Whether to make it the model's first version; 409 where there is one." }),
  })
  .partial()
  .openapi("NewSemanticDraft", { example: { schemas: ["sample"], save: true } });
export type NewDraft = z.infer<typeof NewDraft>;

type Deps = Needs<"scope" | "db" | "vault" | "openLake" | "openEngine">;
export type Draft = { files: ModelFile[]; model: ModelVersion | null; warnings: string[] };

/** As the caller sees the tables. Nothing is kept unless `save` says so, and then only as a first version. */
export async function draftSemanticModel(ctx: Deps, integrationId: string, wanted: NewDraft): Promise<Draft> {
  const cube = await getCubeIntegration(ctx, integrationId);
  const files = draftModel(selectTables(await listTables(ctx, cube.base), wanted), cube.dialect);
  if (!wanted.save) return { files, model: null, warnings: [] };
  return {
    files,
    ...(await saveModel(ctx, cube, {
      action: "semantic_model.draft",
      files,
      message: "Drafted from the tables.",
      restoredFrom: null,
      expected: 0,
    })),
  };
}

type Table = DraftTable & { schema: string };

async function listTables(ctx: Deps, base: Base): Promise<Table[]> {
  if (!isSource(base)) return listTablesOfLake(ctx, base);
  const source = sourceOf(base.type, await openCredentials(ctx, base.id));
  const { schemas } = await ctx.openEngine(ctx.scope.teamId).introspect({ source, deadlineMs: LIMITS.introspectMs });
  return schemas.flatMap(({ name: schema, tables }) =>
    tables.map(({ name, columns, primaryKey, foreignKeys = [] }) => ({
      schema,
      name,
      columns,
      primaryKey,
      foreignKeys: foreignKeys.map(({ columns: own, schema: toSchema, table, references }) => ({
        columns: own,
        table: { schema: toSchema, name: table },
        references,
      })),
    })),
  );
}

/** A lake knows of no keys. */
async function listTablesOfLake(ctx: Deps, { id }: Base): Promise<Table[]> {
  const lake = ctx.openLake(id);
  const { snapshotId, digest } = await openReader(lake, await resolveAccess(ctx, { id }));
  const { tables } = valueOf(await lake.describe(snapshotId, digest));
  return tables.map(({ schema, name, columns }) => ({ schema, name, columns, primaryKey: [] }));
}

function selectTables(tables: readonly Table[], wanted: NewDraft): Table[] {
  const selected = tables.filter(
    ({ schema, name }) =>
      (wanted.schemas?.includes(schema) ?? true) && (wanted.tables?.includes(`${schema}.${name}`) ?? true),
  );
  if (selected.length === 0) throw refusal("There is no such table to describe.");
  if (selected.length > LIMITS.semanticDraftTablesMax)
    throw refusal(
      `There are ${selected.length} tables, and a draft describes at most ${LIMITS.semanticDraftTablesMax}: name the ` +
        "schemas or tables it is to be of.",
    );
  return selected;
}

const refusal = (message: string): Problem =>
  new Problem("validation_failed", message, [{ pointer: "/tables", message }]);
