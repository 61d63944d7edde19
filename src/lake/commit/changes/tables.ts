// create_table, drop_table and rename_table. Pure.

import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import type { Flaw } from "../../../core/problem.ts";
import { flawsOfColumns, flattenColumns } from "../../state/check-columns.ts";
import {
  discardTable,
  draftTable,
  findTable,
  intend,
  lookUp,
  refusesActor,
  type Apply,
  type Draft,
  type TableDraft,
} from "../draft.ts";
import { tableKey } from "../../state/state.ts";
import type { TableState } from "../../state/table-state.ts";
import { foldName } from "../../../../kernel/text/fold-name.ts";
import { flawOfName, flawOfSchemaName, folderOf, ownFolder } from "../../format/names.ts";
import { openSchema } from "./schemas.ts";

type NewTable = Extract<LakeChange, { kind: "create_table" }>;

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
  const flaws = flawsOfNewTable(change, pointer);
  draft.flaws.push(...flaws);
  // A table that can't be made leaves nothing to check its files against.
  if (flaws.length > 0) return undefined;

  if (old) discardTable(draft, old);
  draft.tables.set(key, newTable(draft, change, folderFor(draft, change, old)));
  return undefined;
};

/**
 * The folder that the job has uploaded files to: its own, or the one of the table that had the name as they were
 * uploaded. A table that is made without files has the folder of its name, unless another table's files are there.
 */
function folderFor(draft: Draft, { schema, name }: NewTable, old: TableDraft | undefined): string {
  const root = draft.schemas.get(foldName(schema))?.path ?? folderOf(schema);
  const files = draft.newFiles.get(tableKey(schema, name)) ?? [];
  const holdsFiles = (folder: string): boolean => files.some((file) => file.startsWith(root + folder));
  const own = ownFolder(draft.jobId, name);
  const usual = old?.folder ?? folderOf(name);
  if (holdsFiles(own)) return own;
  const isTaken =
    old !== undefined ||
    draft.takenFolders.has(root + usual) ||
    [...draft.tables.values()].some(({ path }) => path === root + usual);
  return holdsFiles(usual) || !isTaken ? usual : `${draft.newUuid()}/`;
}

function flawsOfNewTable({ schema, name, columns }: NewTable, pointer: string): Flaw[] {
  const flaws = flawsOfColumns(columns, `${pointer}/columns`);
  const [schemaFlaw, nameFlaw] = [flawOfSchemaName(schema), flawOfName(name)];
  if (schemaFlaw) flaws.push({ pointer: `${pointer}/schema`, message: schemaFlaw });
  if (nameFlaw) flaws.push({ pointer: `${pointer}/name`, message: nameFlaw });
  return flaws;
}

/** A table without rows, in its schema, which is made where it is missing. */
function newTable(draft: Draft, change: NewTable, folder: string): TableDraft {
  const schema = openSchema(draft, change.schema);
  const columns = new Map(flattenColumns(change.columns).map((column) => [column.id, column]));
  const state: TableState = {
    tableId: draft.head.nextCatalogId++,
    uuid: draft.newUuid(),
    schemaId: schema.schemaId,
    schema: schema.name,
    name: change.name,
    path: schema.path + folder,
    folder,
    columns,
    usedColumnIds: new Set(columns.keys()),
    recordCount: 0,
    nextRowId: 0,
    bytes: 0,
    summaries: new Map(),
  };
  return draftTable(state, undefined);
}

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
