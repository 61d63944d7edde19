// create_schema and drop_schema. Pure.

import type { SchemaState } from "../../state/state.ts";
import { discardTable, refusesActor, type Apply, type Draft } from "../draft.ts";
import { foldName } from "../../../../kernel/text/fold-name.ts";
import { flawOfSchemaName, folderOf } from "../../format/names.ts";

/** Where DuckDB looks for a table whose schema was not said. */
const DEFAULT_SCHEMA = "main";

export const createSchema: Apply<"create_schema"> = (draft, { schema, ifMissing }, pointer) => {
  if (draft.schemas.has(foldName(schema))) return ifMissing ? undefined : `The schema ${schema} exists already.`;
  const message = flawOfSchemaName(schema);
  if (message) return void draft.flaws.push({ pointer: `${pointer}/schema`, message });
  if (!ifMissing) draft.intents.push({ kind: "create_schema", schema });
  openSchema(draft, schema);
  return undefined;
};

/** The schema of this name, made where it is missing. */
export function openSchema(draft: Draft, name: string): SchemaState {
  const found = draft.schemas.get(foldName(name));
  if (found) return found;
  const schema = { schemaId: draft.head.nextCatalogId++, name, path: folderOf(name), uuid: draft.newUuid() };
  draft.schemas.set(foldName(name), schema);
  draft.createdSchemas.push(schema);
  return schema;
}

export const dropSchema: Apply<"drop_schema"> = (draft, { schema: name, cascade }, pointer) => {
  const schema = draft.schemas.get(foldName(name));
  if (!schema) return `The schema ${name} does not exist.`;
  if (foldName(name) === DEFAULT_SCHEMA)
    return void draft.flaws.push({ pointer: `${pointer}/schema`, message: `${DEFAULT_SCHEMA} is always there.` });
  const tables = [...draft.tables.values()].filter(({ schemaId }) => schemaId === schema.schemaId);
  const [first] = tables;
  if (first && !cascade) return `The schema ${name} is not empty: it has the table ${first.name}.`;
  for (const table of tables) {
    const owned = refusesActor(draft, table.schema, table.name);
    if (owned) return owned;
    discardTable(draft, table);
  }
  draft.schemas.delete(foldName(name));
  if (draft.createdSchemas.some(({ schemaId }) => schemaId === schema.schemaId)) {
    draft.createdSchemas = draft.createdSchemas.filter(({ schemaId }) => schemaId !== schema.schemaId);
  } else {
    draft.droppedSchemas.push(schema);
    draft.intents.push({ kind: "drop_schema", schema: schema.name });
  }
  return undefined;
};
