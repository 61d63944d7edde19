// Warnings to the author of a model: cubes whose table is not there when the model is saved.

import type { LakeTableName } from "../../../../kernel/lake/lake.ts";
import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { Needs } from "../../../clients/context.ts";
import { findMissingTables } from "../../../lake/missing-tables.ts";
import { CATALOG, DEFAULT_SCHEMA } from "../access/hidden-names.ts";
import type { CubeIntegration } from "../cube-integration.ts";
import type { Cube } from "../model/definitions.ts";
import { stepsOf } from "../model/members-read.ts";

/**
 * Only a lake is looked into, by its catalog, and only names in `sql_table` are judged: in SQL a name may mean
 * something else. The model is valid without the table; a lake that can't be asked now keeps nobody from saving it.
 */
export async function warnOfMissingTables(
  { openLake }: Needs<"openLake">,
  { base }: Pick<CubeIntegration, "base">,
  { cubes }: Pick<SemanticModel, "cubes">,
): Promise<string[]> {
  if (base.type !== "lake") return [];
  const read = (cubes as Cube[]).flatMap(({ name, sql_table: table }) =>
    table === undefined ? [] : [{ name, tables: tablesMeant(stepsOf(table)) }],
  );
  try {
    const meant = read.flatMap(({ tables }) => tables);
    const missing = new Set(await findMissingTables(openLake(base.id), meant));
    return read.flatMap(({ name, tables: [table, ...others] }) =>
      table && [table, ...others].every((one) => missing.has(one))
        ? [`${name}: The lake ${base.name} has no table ${table.schema}.${table.name} now.`]
        : [],
    );
  } catch (error) {
    console.error(JSON.stringify({ event: "tables_of_model_not_looked_up", cause: String(error) }));
    return [];
  }
}

/** The tables that a name may mean; none where it names no table of the lake's catalog. */
function tablesMeant(steps: readonly string[]): LakeTableName[] {
  const [name = "", schema = DEFAULT_SCHEMA, catalog] = steps.toReversed();
  const isCatalog = (step: string | undefined): boolean => step?.toLowerCase() === CATALOG;
  if (schema.toLowerCase() === "information_schema" || (catalog !== undefined && !isCatalog(catalog))) return [];
  const inMain = catalog === undefined && isCatalog(schema) ? [{ schema: DEFAULT_SCHEMA, name }] : [];
  return [...inMain, { schema, name }];
}
