// create_table, drop_table and rename_table. Pure.

import { flawsOfColumns, flattenColumns } from "../check-columns.ts";
import { tableKey } from "../state.ts";
import { discardTable, draftTable, findTable, intend, lookUp, refusesActor, type Apply } from "../draft.ts";
import { foldName } from "../../../../core/fold-name.ts";
import { flawOfName, flawOfSchemaName, folderOf } from "../../names.ts";
import { openSchema } from "./schemas.ts";

export const createTable: Apply<"create_table"> = (draft, change, pointer) => {
  const owned = refusesActor(draft, change.schema, change.name);
  if (owned) return owned;
  if (draft.lostSchemas.has(foldName(change.schema)))
    return `The schema ${change.schema} was dropped by another commit in the meantime.`;
  const key = tableKey(change.schema, change.name);
  const old = draft.tables.get(key);
  if (old && !change.orReplace) return `${change.schema}.${change.name} exists already.`;
  const meant = old && lookUp(draft, change);
  if (typeof meant === "string") return meant;
  draft.intents.push({
    kind: "create",
    schema: change.schema,
    schemaId: draft.schemas.get(foldName(change.schema))?.schemaId,
    name: change.name,
  });
  const flaws = flawsOfColumns(change.columns, `${pointer}/columns`);
  const [schemaFlaw, nameFlaw] = [flawOfSchemaName(change.schema), flawOfName(change.name)];
  if (schemaFlaw) flaws.push({ pointer: `${pointer}/schema`, message: schemaFlaw });
  if (nameFlaw) flaws.push({ pointer: `${pointer}/name`, message: nameFlaw });
  draft.flaws.push(...flaws);
  // A table that can't be made leaves nothing to check its files against.
  if (flaws.length > 0) return undefined;

  if (old) discardTable(draft, old);
  const schema = openSchema(draft, change.schema);
  // Files for the new table were uploaded while its name still meant the old one.
  const folder = old?.folder ?? folderOf(change.name);
  const columns = new Map(flattenColumns(change.columns).map((column) => [column.id, column]));
  const empty = {
    recordCount: 0,
    nextRowId: 0,
    bytes: 0,
    summaries: new Map(),
    usedColumnIds: new Set(columns.keys()),
  };
  const own = {
    tableId: draft.head.nextCatalogId++,
    uuid: draft.newUuid(),
    schemaId: schema.schemaId,
    schema: schema.name,
    name: change.name,
  };
  draft.tables.set(key, draftTable({ ...own, ...empty, columns, folder, path: schema.path + folder }, undefined));
  return undefined;
};

export const dropTable: Apply<"drop_table"> = (draft, change) => {
  const table = findTable(draft, change);
  if (typeof table === "string") return table;
  discardTable(draft, table);
  return undefined;
};

/** The files stay where they are: a table's folder is that of its first name. */
export const renameTable: Apply<"rename_table"> = (draft, change, pointer) => {
  const table = findTable(draft, change);
  if (typeof table === "string") return table;
  const owned = refusesActor(draft, table.schema, change.to);
  if (owned) return owned;
  const message = flawOfName(change.to);
  if (message) return void draft.flaws.push({ pointer: `${pointer}/to`, message });
  const key = tableKey(table.schema, change.to);
  const other = draft.tables.get(key);
  if (other && other !== table) return `${table.schema}.${change.to} exists already.`;
  intend(draft, "alter", table);
  if (table.before)
    draft.intents.push({ kind: "create", schema: table.schema, schemaId: table.schemaId, name: change.to });
  draft.tables.delete(tableKey(table.schema, table.name));
  table.name = change.to;
  table.did.add("altered_table");
  draft.tables.set(key, table);
  return undefined;
};
