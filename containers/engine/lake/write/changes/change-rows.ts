// INSERT, DELETE, UPDATE, MERGE and TRUNCATE: new rows as data files, deleted rows as delete files.

import { sameName } from "../../../duckdb/names.ts";
import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import { Failure } from "../../../core/failure.ts";
import type { LakeTable } from "../../../../../kernel/lake/lake.ts";
import { COMMIT_FILES_MAX, type LakeChange, type NewDeleteFile } from "../../../../../kernel/lake/commit.ts";
import { emptyRelationsSql } from "../../sql/relations.ts";
import { withVariables } from "../../sql/bound-values.ts";
import { LakeText, tokensOf } from "../../sql/sql-text.ts";
import { composeChange } from "../compose/compose-change.ts";
import { cast, prefixOf } from "../compose/compose-cells.ts";
import { sourceSelect, takesWholeSource } from "../compose/compose-merge.ts";
import { findInexact } from "../../process/column-types.ts";
import { withLockedDatabase, type LockedSession } from "../with-locked-database.ts";
import type { WriteTask, Written } from "../task.ts";
import type { RowStatement, WriteStatement } from "../parse/statement.ts";
import { needColumns, needTable, spelled, sqlError, tableName } from "../table-names.ts";
import { cell, type Deletable, type QueryColumn, type WriteWorkDone } from "../../process/write-work.ts";

type Insert = Extract<WriteStatement, { kind: "insert" }>;

/** The catalog of the table in memory that takes rows before they are written to files. */
const INBOX_CATALOG = "LAKE inbox";

const existing = ({ schema, name, tableId }: LakeTable) => ({ schema, name, expect: { tableId } });

export async function insertRows(task: WriteTask, write: Insert): Promise<Written> {
  const table = needTable(task.description, tableName(write.table, task.description));
  refuseInexact(table);
  const query =
    write.query === "defaults" ? `VALUES (${table.columns.map(() => "DEFAULT").join(", ")})` : write.query.text;
  const { files, count, reads } = await (isValues(query) && !write.byName
    ? insertValues(task, write, table, query)
    : insertQuery(task, write, table, query));
  const uploaded = await task.writer.upload(table, files, task.signal);
  const readsTable = reads.some(({ tableId }) => tableId === table.tableId);
  const changes: LakeChange[] =
    uploaded.length > 0 ? [{ kind: "append", ...existing(table), files: uploaded, readsTable }] : [];
  return { changes, answer: { count }, ...(!readsTable && { holds: { table, files: [] } }) };
}

type Inserted = WriteWorkDone & Pick<LockedSession, "reads">;

async function insertQuery(task: WriteTask, write: Insert, table: LakeTable, query: string): Promise<Inserted> {
  return withLockedDatabase(
    task,
    `${prefixOf(write.ctes)}\nSELECT * FROM (\n${query}\n)`,
    {},
    async ({ shape, write: run, reads }, body) => {
      const select = selectInto(table, body, await shape(body), write);
      return { ...(await run({ select, columns: table.columns, once: false })), reads };
    },
  );
}

/** Whether a query is a list of VALUES: by its first word, within whatever parentheses there are. */
function isValues(query: string): boolean {
  for (const { text } of tokensOf(query)) if (text !== "(") return /^values$/i.test(text);
  return false;
}

/**
 * DuckDB casts each cell of a list of VALUES to its column, where in a query a list has one type for each of its
 * columns. So DuckDB inserts it, into a table in memory.
 */
async function insertValues(
  task: WriteTask,
  { ctes, columns }: Insert,
  table: LakeTable,
  query: string,
): Promise<Inserted> {
  const inbox = emptyRelationsSql(
    [{ ...table, columns: table.columns.map((column) => ({ ...column, nullable: true })) }],
    { catalog: INBOX_CATALOG },
  );
  return withLockedDatabase(task, `${prefixOf(ctes)}\n${query}`, { inbox }, async ({ write: run, reads }, body) => {
    // Reads of the past were rewritten as another query, and paths of the drive as local ones.
    const list =
      ctes || !isValues(body)
        ? withVariables(new LakeText(query), { values: task.values ?? [], isNumbered: true })
        : body;
    if (!body.endsWith(list))
      throw sqlError(
        `Such a list of VALUES can't be inserted ${ctes ? "after WITH" : "here"}: say INSERT INTO … SELECT.`,
      );
    const name = [INBOX_CATALOG, table.schema, table.name].map(quoteIdentifier).join(".");
    const names = columns
      ? ` (${needColumns(table, columns)
          .map((column) => quoteIdentifier(column.name))
          .join(", ")})`
      : "";
    const first = `${body.slice(0, -list.length)}INSERT INTO ${name}${names}\n${list}`;
    const cells = table.columns.map(
      (column, i) => `${cast(column, quoteIdentifier(column.name), table)} AS ${cell(i)}`,
    );
    return {
      ...(await run({ first, select: `SELECT ${cells.join(", ")} FROM ${name}`, columns: table.columns, once: false })),
      reads,
    };
  });
}

/** The query's columns in the table's order and types; columns that get no value are NULL. */
function selectInto(
  table: LakeTable,
  body: string,
  shape: readonly QueryColumn[],
  { columns, byName }: Insert,
): string {
  const into = byName
    ? needColumns(
        table,
        shape.map(({ name }) => name),
      )
    : columns
      ? needColumns(table, columns)
      : table.columns;
  if (into.length !== shape.length)
    throw sqlError(
      `${columns ? `${into.length} columns are named` : `The table ${spelled(table)} has ${into.length} columns`}, ` +
        `but ${shape.length} values are given.`,
    );
  const cells = table.columns.map(
    (column, i) =>
      `${cast(column, into.includes(column) ? quoteIdentifier(column.name) : "NULL", table)} AS ${cell(i)}`,
  );
  const names = into.map(({ name }) => quoteIdentifier(name));
  return `SELECT ${cells.join(", ")} FROM (\n${body}\n) AS q(${names.join(", ")})`;
}

export async function changeRows(
  task: WriteTask,
  write: RowStatement | Extract<WriteStatement, { kind: "truncate" }>,
): Promise<Written> {
  const table = needTable(task.description, tableName(write.table, task.description));
  if (write.kind === "truncate" || (write.kind === "delete" && !write.ctes && !write.using && !write.where))
    return emptyTable(task, table);
  const whole = write.kind === "merge" && takesWholeSource(write) ? await sourceNamesOf(task, write) : [];
  const change = composeChange(write, table, whole);
  if (change.columns.length > 0) refuseInexact(table);
  const { done, files } = await withLockedDatabase(
    task,
    change.select,
    { target: table, moved: change.moved },
    async (session, body) => ({
      done: await session.write({
        select: body,
        columns: change.columns,
        files: deletablesOf(session, task.writer.root),
        once: change.once,
      }),
      files: session.target!.plan.files,
    }),
  );
  // A merge depends on which rows are not there, so that rows added meanwhile conflict with it; other statements do
  // not.
  const isMerge = write.kind === "merge";
  const touched = new Set([...done.ended, ...done.deletes.map(({ dataFileId }) => dataFileId)]);
  const holds = { table, files: files.filter(({ id }) => touched.has(id)) };
  return {
    changes: await uploadChanges(task, table, done, isMerge),
    answer: { count: done.count },
    ...(!isMerge && { holds }),
  };
}

async function sourceNamesOf(task: WriteTask, merge: Extract<RowStatement, { kind: "merge" }>): Promise<string[]> {
  const names = await withLockedDatabase(task, sourceSelect(merge), {}, async (session, body) =>
    (await session.shape(body)).map(({ name }) => name),
  );
  const twice = names.find((name, i) => names.findIndex((each) => sameName(each, name)) !== i);
  if (twice !== undefined) throw sqlError(`The source has two columns named ${twice}.`);
  return names;
}

function refuseInexact(table: LakeTable): void {
  const inexact = findInexact(table.columns);
  if (inexact)
    throw sqlError(
      `Rows can't be written to ${spelled(table)}: values of the type ${inexact.type} (${inexact.name}) would not ` +
        "stay exact in its files.",
    );
}

/** Deletes all rows at once, without reading them. */
async function emptyTable({ lake, grant, phases, signal }: WriteTask, table: LakeTable): Promise<Written> {
  const [plan] = await phases.time("plan", () => lake.catalog.plan(grant, [table], signal));
  const files = plan?.files ?? [];
  const count = files.reduce((sum, { rows, deletes }) => sum + rows - (deletes?.rows ?? 0), 0);
  return { changes: files.length > 0 ? [{ kind: "overwrite", ...existing(table), files: [] }] : [], answer: { count } };
}

export function deletablesOf({ target }: LockedSession, root: string): Deletable[] {
  const { plan, paths } = target!;
  return plan.files.map(({ id, path, rows, deletes }) => ({
    id,
    address: root + path,
    rows,
    local: paths.get(id)!,
    deletes: deletes ? { local: paths.get(deletes.id)!, rows: deletes.rows } : undefined,
  }));
}

export async function uploadChanges(
  { writer, signal }: Pick<WriteTask, "writer" | "signal">,
  table: LakeTable,
  { files, deletes, ended }: WriteWorkDone,
  readsTable: boolean,
): Promise<LakeChange[]> {
  // Too many files are refused before any is uploaded, not by the catalog afterwards.
  if (files.length + deletes.length > COMMIT_FILES_MAX) {
    throw new Failure(
      "resources_exceeded",
      `The statement changes rows in so many files of ${spelled(table)} that it would take ` +
        `${files.length + deletes.length}, and one commit takes ${COMMIT_FILES_MAX}: change fewer rows at a time.`,
    );
  }
  const uploaded = await writer.upload(table, files, signal);
  const deleted = await writer.upload(
    table,
    deletes.map(({ file }) => ({ ...file, statistics: [] })),
    signal,
  );
  const withoutStatistics = ({ path, bytes, footerBytes, rows }: NewDeleteFile): NewDeleteFile => ({
    path,
    bytes,
    footerBytes,
    rows,
  });
  return [
    ...(deletes.length > 0
      ? [
          {
            kind: "delete" as const,
            ...existing(table),
            deletes: deletes.map(({ dataFileId }, i) => ({ dataFileId, file: withoutStatistics(deleted[i]!) })),
          },
        ]
      : []),
    ...(ended.length > 0 ? [{ kind: "drop_files" as const, ...existing(table), dataFileIds: ended }] : []),
    ...(uploaded.length > 0 ? [{ kind: "append" as const, ...existing(table), files: uploaded, readsTable }] : []),
  ];
}
