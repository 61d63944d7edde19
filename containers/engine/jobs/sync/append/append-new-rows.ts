// `append` after the first run: rows from a little before the last one's largest cursor on, without those the lake has
// already.

import { rename, rm } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { sameName } from "../../../duckdb/names.ts";
import { quoteIdentifier, quoteLiteral } from "../../../duckdb/quoting.ts";
import { extractInto, extractParts } from "../../../extract/extract-table.ts";
import type { SourceTable } from "../../../extract/source-table.ts";
import type { LakeColumn, LakeTable, Predicate } from "../../../contract/lake.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import { commitTable, tableChanges } from "../commit/commit-table.ts";
import { largestCursorValue, isFrom, noRowsFoundNote, rereadFrom, type Cursor } from "../tables/cursor.ts";
import { findLateRows, lateBaseline } from "../changes/find-changes.ts";
import { planLakeFiles } from "../rows/lake-files.ts";
import { note } from "../progress/progress.ts";
import { withScratchTables, castColumns, declare, isEqual, namesOf } from "../rows/scratch-tables.ts";
import { uploadPart, uploadRows, uploadsOf } from "../rows/upload-rows.ts";
import type { PreparedTable } from "../sync-run.ts";
import type { Checkpoint } from "../commit/checkpoint.ts";

type Known = { lake: LakeTable; checkpoint: Checkpoint; cursor: Cursor };

export async function appendNewRows(described: PreparedTable, { lake, checkpoint, cursor }: Known): Promise<void> {
  const { run, table, columnPlan, progress } = described;
  const { snapshot, staging, signal } = run;
  const value = checkpoint.cursor?.value ?? null;
  const from = value === null ? null : await rereadFrom(staging, cursor, value);
  const late = findLateRows(described);
  const memory = lateBaseline(described);
  note(progress, cursor.unseenNote("append", late !== undefined && "where" in late));
  if (late && "full" in late)
    note(
      progress,
      `Rows that were committed late before this run may be missing; a run in full brings them. ${late.full}`,
    );
  const uploads = uploadsOf(described);
  const files: string[] = [];
  try {
    await withScratchTables(run, async ({ connection, name }) => {
      const [read, cast, seen] = [name("read"), name("cast"), name("seen")];
      const isKeyed = table.primaryKey.length > 0;
      const order = {
        snapshot,
        table,
        staging,
        signal,
        onProgress: (rows: number) => void (progress.rowsRead = rows),
        ...(from === null
          ? {}
          : {
              where: `(${isFrom(snapshot.kind, cursor, from)})${late && "where" in late ? ` OR (${late.where})` : ""}`,
            }),
      };
      const report = isKeyed
        ? await extractParts({ ...order, onPart: async ({ file }) => void files.push(await keep(file)) })
        : await extractInto(read, order);
      for (const text of report.notes) note(progress, text);
      progress.rowsRead = report.rows;
      if (value !== null && from !== null && report.rows === 0) note(progress, noRowsFoundNote(cursor, value));
      let greatest = value;
      let rows = 0;
      const look = async (file: string): Promise<void> =>
        void (greatest = await largestCursorValue(staging, cursor, greatest, file));
      if (report.rows > 0) {
        progress.phase = "comparing";
        const columns = columnPlan.columns.filter((column) =>
          table.columns.some((each) => sameName(each.lake.name, column.name)),
        );
        const names = isKeyed
          ? new Set([...table.primaryKey, cursor.column.name])
          : new Set(table.columns.map((column) => column.name));
        const keyed = columns.filter((column) =>
          table.columns.some((each) => names.has(each.name) && sameName(each.lake.name, column.name)),
        );
        await connection.run(
          `CREATE VIEW ${cast} AS SELECT ${castColumns(columns)} FROM ${isKeyed ? rowsIn(files) : read}`,
        );
        await loadLakeRows(described, connection, { lake, cursor, from, columns: keyed, read: cast, into: seen });
        progress.phase = "writing";
        if (isKeyed) {
          for (const file of files)
            rows += await uploadPart(
              run,
              connection,
              withoutKeys(`(SELECT ${castColumns(columns)} FROM ${rowsIn([file])})`, seen, keyed),
              columns,
              uploads,
              look,
            );
        } else {
          const fresh = name("fresh");
          await connection.run(`CREATE TEMP TABLE ${fresh} AS ${withoutRows(cast, seen, columns)}`);
          rows = await uploadRows(run, connection, fresh, columns, report, uploads, look);
        }
      }
      progress.phase = "uploading";
      const added = await uploads.end();
      if (uploads.rows !== rows)
        throw new Error(`${described.source.path}: ${rows} rows are new and ${uploads.rows} were uploaded`);
      await commitTable(described, {
        changes: tableChanges(described, added, "append"),
        cursor: { column: cursor.column.name, value: greatest },
        memory,
      });
    });
  } finally {
    await uploads.settle();
    for (const file of files) await rm(file, { force: true });
  }
}

/**
 * Rows with a key wait in files: of a table of its own DuckDB reads two thousand values at a time, and its memory may
 * not hold as many large ones.
 */
async function keep(file: string): Promise<string> {
  const kept = `${file}.kept`;
  await rename(file, kept);
  return kept;
}

const rowsIn = (files: readonly string[]): string => `read_parquet([${files.map(quoteLiteral).join(", ")}])`;

/** A key and its cursor name one state of a row: a changed row whose cursor grew is added beside its earlier self. */
const withoutKeys = (read: string, seen: string, keyed: readonly LakeColumn[]): string =>
  `SELECT * FROM ${read} AS r WHERE NOT EXISTS (SELECT 1 FROM ${seen} AS s WHERE ${isEqual("s", "r", keyed)})`;

/** Without a key, equal rows are counted: as many as the lake lacks are new. */
const withoutRows = (read: string, seen: string, columns: readonly LakeColumn[]): string =>
  `FROM ${read} EXCEPT ALL SELECT ${namesOf(columns)} FROM ${seen}`;

type LakeRowsToFind = {
  lake: LakeTable;
  cursor: Cursor;
  from: string | null;
  columns: readonly LakeColumn[];
  read: string;
  into: string;
};

/** Brings in what the lake has of the rows that were read, from the files that may hold such rows. */
async function loadLakeRows(
  { run, columnPlan, table }: PreparedTable,
  connection: DuckDBConnection,
  { lake, cursor, from, columns, read, into }: LakeRowsToFind,
): Promise<void> {
  await connection.run(`CREATE TEMP TABLE ${into} (${declare(columns)})`);
  const tells = columnPlan.columns.find((column) => sameName(column.name, cursor.column.lake.name))!;
  const isPruned = from !== null && lake.columns.some(({ id }) => id === tells.id);
  const plan = await planLakeFiles(run, lake.tableId);
  const looking = isPruned
    ? [[{ columnId: tells.id, op: ">=" as const, values: [from] }], ...(await belowOf(connection, read, tells, from))]
    : [[]];
  const isRead = `EXISTS (SELECT 1 FROM ${read} AS r WHERE ${isEqual("r", "f", columns)})`;
  const cells = columns.map((column) => asReadNow(column, table)).join(", ");
  const insert = `INSERT INTO ${into} SELECT ${namesOf(columns)} FROM`;
  await plan.each(
    looking,
    columns,
    async (_, { left }) => void (await connection.run(`${insert} (SELECT ${cells} ${left}) AS f WHERE ${isRead}`)),
  );
}

/** A value as it would be read now: rows from before may have the padding of `char(n)`. */
function asReadNow(column: LakeColumn, { columns }: SourceTable): string {
  const value = quoteIdentifier(column.name);
  const changed = columns.find(({ lake, changedIn }) => changedIn !== undefined && sameName(lake.name, column.name));
  if (!changed) return value;
  return `${withoutPadding(value, column, changed.lake)} AS ${value}`;
}

/**
 * Of JSON, `source` is an array of texts, as PostgreSQL prints it: a quote with a blank before it ends a text, for
 * within one it has a backslash there.
 */
function withoutPadding(value: string, column: LakeColumn, source: LakeColumn): string {
  if (source.type === "json")
    return `CAST(regexp_replace(CAST(${value} AS VARCHAR), ' +"', '"', 'g') AS ${duckdbType(column)})`;
  return column.type === "list" ? `list_transform(${value}, lambda i: rtrim(i, ' '))` : `rtrim(${value}, ' ')`;
}

const VALUES_MAX = 1_000;

/**
 * Where rows that were read lie below `from`: their values one by one, or, of many, from the least on; and where there
 * is none.
 */
async function belowOf(
  connection: DuckDBConnection,
  read: string,
  tells: LakeColumn,
  from: string,
): Promise<Predicate[][]> {
  const column = quoteIdentifier(tells.name);
  const reader = await connection.runAndReadAll(
    `SELECT value::VARCHAR FROM (SELECT DISTINCT ${column} AS value FROM ${read} WHERE ${column} IS NULL OR ${column} < ${quoteLiteral(from)}::${duckdbType(tells)}) ORDER BY value NULLS FIRST LIMIT ${VALUES_MAX + 2}`,
  );
  const values = reader.getRows().map(([value]) => value as string | null);
  const told = values.filter((value) => value !== null);
  return [
    ...(values.includes(null) ? [[{ columnId: tells.id, op: "is_null" as const, values: [] }]] : []),
    ...(told.length > VALUES_MAX
      ? [[{ columnId: tells.id, op: ">=" as const, values: [told[0]!] }]]
      : told.length > 0
        ? [[{ columnId: tells.id, op: "in" as const, values: told }]]
        : []),
  ];
}
