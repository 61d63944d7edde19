// CREATE, DROP and ALTER: changes of the catalog, with the rows of CREATE TABLE … AS.

import { foldName, sameName } from "../../../duckdb/names.ts";
import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import { numberColumns } from "../../../extract/plan-columns.ts";
import type { LakeColumn, LakeDescription, LakeTableName } from "../../../../../kernel/lake/lake.ts";
import type { ColumnChange, LakeChange } from "../../../../../kernel/lake/commit.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import type { ColumnDefinition, TableChange, WriteStatement } from "../parse/statement.ts";
import { commentsOfNew } from "./change-comment.ts";
import { withLockedDatabase } from "../with-locked-database.ts";
import type { WriteTask, Written } from "../task.ts";
import {
  findTable,
  hasSchema,
  lookUpTable,
  needColumn,
  needTable,
  schemaName,
  spelled,
  sqlError,
  tableName,
} from "../table-names.ts";
import { cell, type QueryColumn } from "../../process/write-work.ts";

type Definition = Extract<
  WriteStatement,
  { kind: "create_table" | "create_table_as" | "drop_table" | "alter_table" | "create_schema" | "drop_schema" }
>;
type Of<Kind extends Definition["kind"]> = Extract<Definition, { kind: Kind }>;

const nothing = (answer: Written["answer"]): Written => ({ changes: [], answer });

export async function changeDefinition(task: WriteTask, write: Definition): Promise<Written> {
  const { description } = task;
  switch (write.kind) {
    case "create_schema":
      return createSchema(description, write);
    case "drop_schema":
      return dropSchema(description, write);
    case "create_table":
      return createTable(task, write);
    case "create_table_as":
      return createTableAs(task, write);
    case "drop_table": {
      if (write.ifExists && !lookUpTable(write.table, description)) return nothing("altered");
      const { schema, name, tableId } = needTable(description, tableName(write.table, description));
      return { changes: [{ kind: "drop_table", schema, name, expect: { tableId } }], answer: "altered" };
    }
    case "alter_table":
      return alterTable(task, write);
  }
}

function createSchema(description: LakeDescription, { schema: parts, ifMissing }: Of<"create_schema">): Written {
  const schema = schemaName(parts);
  if (!hasSchema(description, schema))
    return { changes: [{ kind: "create_schema", schema, ifMissing }], answer: "created" };
  if (!ifMissing) throw sqlError(`The schema ${schema} exists already.`);
  return nothing("created");
}

function dropSchema(description: LakeDescription, { schema: parts, ifExists, cascade }: Of<"drop_schema">): Written {
  const schema = schemaName(parts);
  if (hasSchema(description, schema)) return { changes: [{ kind: "drop_schema", schema, cascade }], answer: "altered" };
  if (!ifExists) throw sqlError(`The schema ${schema} does not exist in the lake.`);
  return nothing("altered");
}

/** Whether the table has to be created; throws where it exists and may not be replaced. */
function isToBeMade(
  description: LakeDescription,
  { table, orReplace, ifMissing }: Of<"create_table" | "create_table_as">,
): boolean {
  const named = tableName(table, description);
  if (orReplace || !findTable(description, named)) return true;
  if (!ifMissing) throw sqlError(`The table ${spelled(named)} exists already.`);
  return false;
}

function creation(
  description: LakeDescription,
  { table, orReplace }: Of<"create_table" | "create_table_as">,
  columns: LakeColumn[],
): LakeChange & { kind: "create_table" } {
  return { kind: "create_table", ...tableName(table, description), columns: numberColumns(columns), orReplace };
}

async function createTable(task: WriteTask, write: Of<"create_table">): Promise<Written> {
  if (!isToBeMade(task.description, write)) return nothing("created");
  refuseTwice(write.columns.map(({ name }) => name));
  const create = creation(task.description, write, await columnsOf(task, write.columns));
  const ofColumns = create.columns.map(({ id }, i) => ({ columnId: id, comment: write.columns[i]!.comment }));
  const comments = commentsOfNew(nameOf(create), [{ columnId: null, comment: write.comment }, ...ofColumns]);
  return { changes: [create, ...comments], answer: "created" };
}

const nameOf = ({ schema, name }: LakeTableName): LakeTableName => ({ schema, name });

/** The columns of a definition; DuckDB itself resolves their types. */
async function columnsOf(task: WriteTask, definitions: readonly ColumnDefinition[]): Promise<LakeColumn[]> {
  const casts = definitions.map(({ name, type }) => `CAST(NULL AS\n${type.text}\n) AS ${quoteIdentifier(name)}`);
  const select = `SELECT ${casts.join(", ")}`;
  const shape = await withLockedDatabase(task, select, {}, (session, body) => session.shape(body));
  if (shape.length !== definitions.length) throw sqlError("A column's type is no type.");
  return definitions.map(({ name, nullable }, i) => ({ ...needLake(shape[i]!), name, nullable }));
}

export function needLake({ name, type, lake }: QueryColumn): LakeColumn {
  if (!lake)
    throw sqlError(
      `The column ${name} is of the type ${type}, which the lake can't keep exactly: cast it, to VARCHAR for instance.`,
    );
  return lake;
}

async function createTableAs(task: WriteTask, write: Of<"create_table_as">): Promise<Written> {
  const { description, writer, signal } = task;
  if (!isToBeMade(description, write)) return nothing({ count: 0 });
  const { columns, files, count } = await withLockedDatabase(task, write.query.text, {}, async (session, body) => {
    const shape = await session.shape(body);
    if (write.names.length > shape.length)
      throw sqlError(`${write.names.length} columns are named, but the query has ${shape.length}.`);
    refuseTwice(write.names);
    const names = distinct(shape.map(({ name }, i) => write.names[i] ?? name));
    const columns = numberColumns(shape.map((column, i) => ({ ...needLake(column), name: names[i]! })));
    if (!write.withRows) return { columns, files: [], count: 0 };
    const cells = columns.map((column, i) => `CAST(v${i} AS ${duckdbType(column)}) AS ${cell(i)}`);
    const select = `SELECT ${cells.join(", ")} FROM (\n${body}\n) AS q(${columns.map((_, i) => `v${i}`).join(", ")})`;
    return { columns, ...(await session.write({ select, columns, once: false })) };
  });
  const named = tableName(write.table, description);
  const uploaded = await writer.upload({ ...named, isNew: true }, files, signal);
  const create = creation(description, write, columns);
  const append = uploaded.length > 0 ? [{ kind: "append" as const, ...named, files: uploaded }] : [];
  const comments = commentsOfNew(nameOf(create), [{ columnId: null, comment: write.comment }]);
  return { changes: [create, ...append, ...comments], answer: { count } };
}

/** Makes names distinct as DuckDB does: a, a_1, a_2. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let n = 1; taken.has(foldName(own)); n++) own = `${name}_${n}`;
    taken.add(foldName(own));
    return own;
  });
}

export function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, i) => names.findIndex((each) => sameName(each, name)) !== i);
  if (twice !== undefined) throw sqlError(`Two columns are named ${twice}.`);
}

async function alterTable(task: WriteTask, { table, ifExists, change }: Of<"alter_table">): Promise<Written> {
  const { description } = task;
  if (ifExists && !lookUpTable(table, description)) return nothing("altered");
  const found = needTable(description, tableName(table, description));
  const existing = { schema: found.schema, name: found.name, expect: { tableId: found.tableId } };
  if (change.kind === "rename_table")
    return { changes: [{ kind: "rename_table", ...existing, to: change.to }], answer: "altered" };
  const altered = await columnChange(task, found, change);
  if (!altered) return nothing("altered");
  const added =
    altered.kind === "add_column" && change.kind === "add"
      ? [{ columnId: altered.column.id, comment: change.column.comment }]
      : [];
  const comments = commentsOfNew(existing, added);
  return { changes: [{ kind: "alter_table", ...existing, changes: [altered] }, ...comments], answer: "altered" };
}

/** The change of a column; undefined where there is nothing to do. */
async function columnChange(
  task: WriteTask,
  table: Parameters<typeof needColumn>[0],
  change: Exclude<TableChange, { kind: "rename_table" }>,
): Promise<ColumnChange | undefined> {
  const find = (name: string) => table.columns.find((column) => sameName(column.name, name));
  switch (change.kind) {
    case "add": {
      const { name } = change.column;
      if (find(name) && change.ifMissing) return undefined;
      if (find(name)) throw sqlError(`The table ${spelled(table)} has a column ${name} already.`);
      const [column] = numberColumns(await columnsOf(task, [change.column]));
      return { kind: "add_column", column: shifted(column!, task.writer.columnIdLast) };
    }
    case "drop":
      if (change.ifExists && !find(change.column)) return undefined;
      return { kind: "drop_column", id: needColumn(table, change.column).id };
    case "rename":
      return { kind: "rename_column", id: needColumn(table, change.column).id, to: change.to };
    case "set_nullable":
      return { kind: "set_nullable", id: needColumn(table, change.column).id, nullable: change.nullable };
    case "set_type": {
      const column = needColumn(table, change.column);
      const [wanted] = await columnsOf(task, [{ name: column.name, type: change.type, nullable: true, comment: null }]);
      if (wanted!.type.replace(" ", "") === column.type.replace(" ", "") && column.children.length === 0)
        return undefined;
      if (wanted!.children.length > 0)
        throw sqlError(`${column.type} can't become ${wanted!.type} without rewriting the table.`);
      return { kind: "set_type", id: column.id, type: wanted!.type };
    }
  }
}

/** Ids a table had are never used again: its files may hold values under them. */
export const shifted = (column: LakeColumn, by: number): LakeColumn => ({
  ...column,
  id: column.id + by,
  children: column.children.map((child) => shifted(child, by)),
});
