// INSERT, DELETE, UPDATE, MERGE and TRUNCATE: rows that come as data files, rows that go as delete files.

import type { LakeChange, LakeTable, NewDeleteFile } from "../../lake-protocol.ts";
import { composeChange } from "./compose.ts";
import { cast, prefixOf } from "./compose-cells.ts";
import { sourceSelect, takesWholeSource } from "./compose-merge.ts";
import { findInexact } from "./column-types.ts";
import { inJail, type Session } from "./in-jail.ts";
import type { Task, Written } from "./task.ts";
import type { RowStatement, WriteStatement } from "./statement.ts";
import { needColumns, needTable, same, spelled, sqlError, tableName } from "./table-names.ts";
import { cell, type Deletable, type ShapeColumn, type WorkDone } from "./write-work.ts";

const existing = ({ schema, name, tableId }: LakeTable) => ({ schema, name, expect: { tableId } });

export async function insertRows(task: Task, write: Extract<WriteStatement, { kind: "insert" }>): Promise<Written> {
  const table = needTable(task.description, tableName(write.table, task.description));
  refuseInexact(table);
  const query = `${prefixOf(write.ctes)}\nSELECT * FROM (\n${write.query.text}\n)`;
  const { files, count } = await inJail(task, [query], undefined, async (session, [body]) => {
    const select = selectInto(table, body!, await session.shape(body!), write);
    return session.write({ select, columns: table.columns, once: false });
  });
  const uploaded = await task.writer.upload(table, files, task.signal);
  return { changes: uploaded.length > 0 ? [{ kind: "append", ...existing(table), files: uploaded }] : [], answer: { count } };
}

/** The query's columns in the table's places and types; what gets none is NULL. */
function selectInto(table: LakeTable, body: string, shape: readonly ShapeColumn[], { columns, byName }: Pick<Extract<WriteStatement, { kind: "insert" }>, "columns" | "byName">): string {
  const into = byName ? needColumns(table, shape.map(({ name }) => name)) : columns ? needColumns(table, columns) : table.columns;
  if (into.length !== shape.length) throw sqlError(`${columns ? `${into.length} columns are named` : `The table ${spelled(table)} has ${into.length} columns`}, but ${shape.length} values are given.`);
  const cells = table.columns.map((column, i) => {
    const at = into.indexOf(column);
    return `${cast(column, at < 0 ? "NULL" : `v${at}`, table)} AS ${cell(i)}`;
  });
  return `SELECT ${cells.join(", ")} FROM (\n${body}\n) AS q(${shape.map((_, i) => `v${i}`).join(", ")})`;
}

export async function changeRows(task: Task, write: RowStatement | Extract<WriteStatement, { kind: "truncate" }>): Promise<Written> {
  const table = needTable(task.description, tableName(write.table, task.description));
  if (write.kind === "truncate" || (write.kind === "delete" && !write.ctes && !write.using && !write.where)) return emptyTable(task, table);
  const whole = write.kind === "merge" && takesWholeSource(write) ? await sourceNamesOf(task, write) : [];
  const change = composeChange(write, table, whole);
  if (change.columns.length > 0) refuseInexact(table);
  const done = await inJail(task, [change.select], table, (session, [body]) =>
    session.write({ select: body!, columns: change.columns, files: deletablesOf(session), once: change.once }),
  );
  return { changes: await changesOf(task, table, done), answer: { count: done.count } };
}

async function sourceNamesOf(task: Task, merge: Extract<RowStatement, { kind: "merge" }>): Promise<string[]> {
  const names = await inJail(task, [sourceSelect(merge)], undefined, async (session, [body]) => (await session.shape(body!)).map(({ name }) => name));
  const twice = names.find((name, i) => names.findIndex((each) => same(each, name)) !== i);
  if (twice !== undefined) throw sqlError(`The source has two columns named ${twice}.`);
  return names;
}

function refuseInexact(table: LakeTable): void {
  const inexact = findInexact(table.columns);
  if (inexact) throw sqlError(`Rows can't be written to ${spelled(table)}: values of the type ${inexact.type} (${inexact.name}) would not stay exact in its files.`);
}

/** All rows at once, without looking at them. */
async function emptyTable({ lake, grant, signal }: Task, table: LakeTable): Promise<Written> {
  const [plan] = await lake.plans.plan(grant, [table], signal);
  const files = plan?.files ?? [];
  const count = files.reduce((sum, { rows, deletes }) => sum + rows - (deletes?.rows ?? 0), 0);
  return { changes: files.length > 0 ? [{ kind: "overwrite", ...existing(table), files: [] }] : [], answer: { count } };
}

function deletablesOf({ target }: Session): Deletable[] {
  const { plan, paths } = target!;
  return plan.files.map(({ id, path, rows, deletes }) => ({ id, path, rows, local: paths.get(id)!, deletes: deletes ? { local: paths.get(deletes.id)!, rows: deletes.rows } : undefined }));
}

async function changesOf({ writer, signal }: Task, table: LakeTable, { files, deletes, ended }: WorkDone): Promise<LakeChange[]> {
  const uploaded = await writer.upload(table, files, signal);
  const deleted = await writer.upload(table, deletes.map(({ file }) => ({ ...file, statistics: [] })), signal);
  const withoutStatistics = ({ path, bytes, footerBytes, rows }: NewDeleteFile): NewDeleteFile => ({ path, bytes, footerBytes, rows });
  return [
    ...(deletes.length > 0 ? [{ kind: "delete" as const, ...existing(table), deletes: deletes.map(({ dataFileId }, i) => ({ dataFileId, file: withoutStatistics(deleted[i]!) })) }] : []),
    ...(ended.length > 0 ? [{ kind: "drop_files" as const, ...existing(table), dataFileIds: ended }] : []),
    ...(uploaded.length > 0 ? [{ kind: "append" as const, ...existing(table), files: uploaded }] : []),
  ];
}
