// The query process's part of a statement that writes: all of it in the locked database, whose own folder takes the
// files.

import { mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier, quoteLiteral } from "../../duckdb/quoting.ts";
import { Failure } from "../../core/failure.ts";
import { writeDeleteFile } from "../../parquet/delete-file.ts";
import { setVariables } from "../sql/bound-values.ts";
import { fromDuckdb } from "../../duckdb/errors.ts";
import type { LockedDatabase } from "./locked-database.ts";
import { hasFloats, NO_DICTIONARY } from "../../parquet/negative-zero.ts";
import { writeParquetFiles } from "../../parquet/writer.ts";
import type { WriteOrder } from "./messages.ts";
import { lakeColumn } from "./column-types.ts";
import {
  cell,
  CHANGE,
  type Deletable,
  type LocalFile,
  type QueryColumn,
  type Text,
  type WriteWorkDone,
  type WriteWork,
  WRITTEN,
} from "./write-work.ts";

/** Large enough to read well, small enough to be sent while the next one is. */
const FILE_BYTES = 128 * 1024 * 1024;
const WATCH_MS = 200;

/** Rejects with a Failure. `isInterrupted` says that the statement was given up. */
export async function runWriteOrder(
  database: LockedDatabase,
  order: Exclude<WriteOrder, { do: "leave" }>,
  isInterrupted: () => boolean,
): Promise<unknown> {
  try {
    if (order.do === "setUp") {
      await database.setUp(order.setup, order.paths);
      return await setVariables(database.connection, order.values);
    }
    if (order.do === "shape") return await shapeOf(database.connection, order.sql);
    if (order.do === "rows") return await textsOf(database.connection, order.sql);
    return await write(database, order.work, isInterrupted);
  } catch (error) {
    throw fromDuckdb(error, "", 0);
  }
}

async function shapeOf(connection: DuckDBConnection, sql: string): Promise<QueryColumn[]> {
  const prepared = await connection.prepare(sql);
  try {
    return Array.from({ length: prepared.columnCount }, (_, i) => {
      const [name, type] = [prepared.columnName(i), prepared.columnType(i)];
      return { name, type: type.alias ?? type.toString().slice(0, 100), lake: lakeColumn(name, type) };
    });
  } finally {
    prepared.destroySync();
  }
}

/** The rows of a SELECT of texts, which bounds them itself. */
const textsOf = async (connection: DuckDBConnection, sql: string): Promise<Text[][]> =>
  (await connection.runAndReadAll(sql))
    .getRows()
    .map((row) => row.map((cell) => (cell === null ? null : String(cell))));

/** The settings that the files of one statement are written with. `check` throws where the statement is to end. */
type Writing = { connection: DuckDBConnection; work: WriteWork; folder: string; check: () => void };

async function write(database: LockedDatabase, work: WriteWork, isInterrupted: () => boolean): Promise<WriteWorkDone> {
  const folder = join(database.spillDirectory, "written");
  mkdirSync(folder);
  const { connection } = database;
  let isTooMuch = false;
  const watch = setInterval(() => {
    isTooMuch ||= bytesIn(folder) > work.bytesMax;
    if (isTooMuch) connection.interrupt();
  }, WATCH_MS);
  const check = (): void => {
    if (isInterrupted()) throw new Failure("cancelled", "The statement was cancelled.");
    if (isTooMuch || bytesIn(folder) > work.bytesMax) throw tooMuch(work);
  };
  try {
    const writing: Writing = { connection, work, folder, check };
    const done = await (work.files ? changeRows(writing, work.files) : addRows(writing));
    check();
    return takeOut(done, work.directory);
  } catch (error) {
    throw isTooMuch ? tooMuch(work) : error;
  } finally {
    clearInterval(watch);
  }
}

const tooMuch = ({ bytesMax }: WriteWork): Failure =>
  new Failure(
    "resources_exceeded",
    `The statement writes more than the ${Math.floor(bytesMax / 1024 / 1024)} MB that one may; write in several.`,
  );

function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // A file may be removed while the files are counted.
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

/** The work's cells under their columns' names. */
const named = ({ columns }: WriteWork): string =>
  columns.map(({ name }, i) => `${cell(i)} AS ${quoteIdentifier(name)}`).join(", ");

async function addRows(writing: Writing): Promise<WriteWorkDone> {
  const { connection, work } = writing;
  if (work.first !== undefined) await connection.run(work.first);
  const files = await writeRows(writing, `SELECT ${named(work)} FROM (\n${work.select}\n)`);
  const count = files.reduce((sum, { rows }) => sum + rows, 0);
  return { count, files, deletes: [], ended: [], answers: await answersOf(writing, files) };
}

async function answersOf({ connection, work: { asks = [] } }: Writing, files: LocalFile[]): Promise<Text[][]> {
  if (asks.length === 0 || files.length === 0) return asks.map(() => []);
  const paths = files.map(({ file }) => quoteLiteral(file)).join(", ");
  await connection.run(`CREATE TEMP VIEW ${WRITTEN} AS SELECT * FROM read_parquet([${paths}])`);
  const answers: Text[][] = [];
  for (const sql of asks) answers.push((await textsOf(connection, sql))[0] ?? []);
  return answers;
}

const writeRows = ({ connection, work, folder }: Writing, select: string): Promise<LocalFile[]> =>
  writeParquetFiles(
    connection,
    { select, columns: work.columns },
    join(folder, "rows"),
    work.form ?? { fileBytes: FILE_BYTES },
  );

/**
 * The statement runs once, onto disk: rows that go and rows that come are then of one run of it, also where it draws
 * random values.
 */
async function changeRows(writing: Writing, files: readonly Deletable[]): Promise<WriteWorkDone> {
  const { connection, work } = writing;
  const from = await stageChange(writing);
  const gone = await findGone(connection, from, files, work.once);
  const isComing = work.columns.length > 0;
  const came = isComing ? await writeRows(writing, `SELECT ${named(work)} ${from} WHERE ${CHANGE.comes}`) : [];
  const rowsAdded = await countRows(connection, `${from} WHERE ${CHANGE.file} IS NULL`);
  const done: WriteWorkDone = { count: rowsAdded, files: came, deletes: [], ended: [], answers: [] };
  for (const file of files) {
    const count = gone.get(file.id);
    if (count === undefined) continue;
    writing.check();
    done.count += count;
    if (count + (file.deletes?.rows ?? 0) === file.rows) done.ended.push(file.id);
    else done.deletes.push({ dataFileId: file.id, file: await writeDeletes(writing, file) });
  }
  return done;
}

/** Runs the statement; answers the FROM clause of its rows. */
async function stageChange({ connection, work, folder, check }: Writing): Promise<string> {
  const staged = quoteLiteral(join(folder, "staged.parquet"));
  const options = [
    "FORMAT parquet",
    "COMPRESSION zstd",
    "COMPRESSION_LEVEL 1",
    ...(hasFloats(work.columns) ? NO_DICTIONARY : []),
  ];
  await connection.run(`COPY (\n${work.select}\n) TO ${staged} (${options.join(", ")})`);
  check();
  return `FROM read_parquet(${staged})`;
}

/** The delete file of a data file, with the rows that were deleted before. */
async function writeDeletes(
  { connection, folder }: Writing,
  { id, address, deletes }: Deletable,
): Promise<WriteWorkDone["deletes"][number]["file"]> {
  const before = deletes ? ` UNION ALL SELECT pos FROM read_parquet(${quoteLiteral(deletes.local)})` : "";
  const file = join(folder, `deletes-${id}.parquet`);
  const positions = `SELECT position FROM ${GONE} WHERE file = ${id}${before}`;
  return { ...(await writeDeleteFile(connection, address, positions, file)), file };
}

/** A table of the rows to delete, by data file and position, each once. */
const GONE = '"fjord gone"';

async function findGone(
  connection: DuckDBConnection,
  from: string,
  files: readonly Deletable[],
  once: boolean,
): Promise<Map<number, number>> {
  const ids = `SELECT unnest([${files.map(({ local }) => quoteLiteral(local)).join(", ")}]::VARCHAR[]) AS path,
    unnest([${files.map(({ id }) => id).join(", ")}]::BIGINT[]) AS id`;
  const positions = `SELECT f.id AS file, s.${CHANGE.position} AS position
    FROM (SELECT ${CHANGE.file}, ${CHANGE.position} ${from}) AS s JOIN (${ids}) AS f ON f.path = s.${CHANGE.file}`;
  await connection.run(`CREATE TEMP TABLE ${GONE} AS SELECT DISTINCT * FROM (${positions}) ORDER BY file, position`);
  const counts = await connection.runAndReadAll(`SELECT file, count(*) FROM ${GONE} GROUP BY file`);
  const gone = new Map(counts.getRows().map(([file, count]) => [Number(file), Number(count)]));
  const all = await countRows(connection, `${from} WHERE ${CHANGE.file} IS NOT NULL`);
  const distinct = [...gone.values()].reduce((sum, count) => sum + count, 0);
  if (once && all !== distinct)
    throw new Failure(
      "sql_error",
      "More than one source row matches a row of the table, so that which of them counts would be chance: make the " +
        "source's rows distinct.",
    );
  return gone;
}

async function countRows(connection: DuckDBConnection, from: string): Promise<number> {
  return Number((await connection.runAndReadAll(`SELECT count(*) ${from}`)).getRows()[0]![0]);
}

/** Moves the files to a folder that outlives the locked database. */
function takeOut(done: WriteWorkDone, directory: string): WriteWorkDone {
  let taken = 0;
  const take = <Written extends { file: string }>(written: Written): Written => {
    const file = join(directory, `${++taken}.parquet`);
    renameSync(written.file, file);
    return { ...written, file };
  };
  return {
    ...done,
    files: done.files.map(take),
    deletes: done.deletes.map(({ dataFileId, file }) => ({ dataFileId, file: take(file) })),
  };
}
