// `merge` of what changed: rows that went or changed are deleted by place, new and changed ones added, in one snapshot.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { extractInto } from "../../extract/extract.ts";
import type { LakeChange, LakeColumn, LakeTable } from "../../lake-protocol.ts";
import { identifier, literal } from "../../lake/lake-types.ts";
import { writeParquet } from "../../lake/parquet-writer.ts";
import { commitTable } from "./commit-table.ts";
import { greatestOf } from "./cursor.ts";
import type { Changed, Scope } from "./find-changes.ts";
import { addKeys, isSameKeys, sumKeys, type KeySum } from "./key-sum.ts";
import { planLakeFiles, POSITION, type LakeFile, type LakeFiles } from "./lake-files.ts";
import { uploadsOf } from "./part-uploads.ts";
import { note } from "./progress.ts";
import { atDesk, countRows, declare, isEqual, namesOf, sameName, uploadRows, type Desk } from "./staged-tables.ts";
import type { Described } from "./sync-run.ts";
import type { Memory, TableState } from "./table-state.ts";

/** Of the lake's rows, and at least so many: beyond it a full read is less work. */
const SHARE_MAX = 0.3;
const ROWS_MIN = 50_000;

/** What was found makes a full read the better way. */
export class ReadAllInstead extends Error {}

export type Merge = Described & { lake: LakeTable; state: TableState };

/** Throws {@link ReadAllInstead} where the changes are too many, or do not add up. Nothing is committed then. */
export async function mergeChanges(merge: Merge, changed: Changed): Promise<void> {
  const { run, table, shape, progress, cursor, state } = merge;
  progress.method = changed.method;
  const uploads = uploadsOf(merge);
  const keys = keysOf(merge);
  try {
    await atDesk(run, async (desk) => {
      const { connection } = desk;
      const plan = await planLakeFiles(run, merge.lake.tableId, []);
      const rowsBefore = plan.files.reduce((sum, { rows, deletes }) => sum + rows - (deletes?.rows ?? 0), 0);
      const read = await readChanged(merge, changed, desk, rowsReadMax(changed, rowsBefore));
      progress.rowsRead = await countRows(connection, `FROM ${read}`);
      const sourceKeys = changed.scope.kind === "keys" ? await readKeys(merge, desk, keys) : undefined;
      const sum = sourceKeys === undefined ? undefined : await sumKeys(connection, `FROM ${sourceKeys}`, keys);
      progress.phase = "comparing";
      const place = await findPlaces(merge, desk, { plan, read, keys, scope: changed.scope, sourceKeys, news: await newsOf(connection, state, sum, read, keys) });
      const fresh = desk.name("fresh");
      await connection.run(`CREATE TEMP TABLE ${fresh} AS SELECT ${namesOf(shape.columns)} FROM ${read} AS r WHERE NOT EXISTS (SELECT 1 FROM ${place.hits} AS h WHERE h.same AND ${isEqual("h", "r", keys)})`);
      const gone = await countRows(connection, `FROM ${place.hits} WHERE NOT same`);
      const added = await countRows(connection, `FROM ${fresh}`);
      const rowsAfter = sum?.rows ?? changed.rows;
      if (rowsAfter !== undefined && rowsBefore - gone + added !== rowsAfter) throw new ReadAllInstead(`The lake would have had ${rowsBefore - gone + added} rows and not the source's ${rowsAfter}: all of it is read.`);
      progress.phase = "writing";
      let greatest = state.cursor?.value ?? null;
      await uploadRows(run, connection, fresh, shape.columns, uploads, async (file) => void (greatest = cursor ? await greatestOf(run.staging, cursor, greatest, file) : null));
      const deletes = await writeDeletes(merge, desk, plan.files, place);
      progress.phase = "uploading";
      const files = await uploads.end();
      if (uploads.rows !== added) throw new Error(`${merge.source.path}: ${added} rows are new and ${uploads.rows} were uploaded`);
      progress.rowsDeleted = gone;
      const existing = { schema: merge.lake.schema, name: merge.lake.name, expect: { tableId: merge.lake.tableId } };
      const changes: LakeChange[] = [...deletes, ...(files.length > 0 ? [{ kind: "append" as const, ...existing, files }] : [])];
      const memory = memoryOf(changed, sum);
      await commitTable(merge, { changes, baseSnapshotId: plan.snapshotId, memory, cursor: cursor ? { column: cursor.column.name, value: greatest } : null });
    });
  } finally {
    await uploads.settle();
  }
}

/** Ranges are counted before they are read, and most of their rows may be as they were. */
const rowsReadMax = ({ memory }: Changed, rowsBefore: number): number => (memory?.kind === "mysql" ? Infinity : Math.max(ROWS_MIN, rowsBefore * SHARE_MAX));

const keysOf = ({ table, shape }: Merge): LakeColumn[] => {
  const names = table.primaryKey.map((key) => table.columns.find(({ name }) => name === key)!.lake.name);
  return names.map((name) => shape.columns.find((column) => sameName(column.name, name))!);
};

function memoryOf({ memory }: Changed, sum: KeySum | undefined): Memory | null {
  if (memory?.kind !== "postgres") return memory;
  return sum ? { ...memory, keys: sum } : null;
}

async function readChanged({ run, table, progress }: Merge, { wheres }: Changed, desk: Desk, rowsMax: number): Promise<string> {
  const { snapshot, staging } = run;
  const enough = new AbortController();
  const signal = AbortSignal.any([run.signal, enough.signal]);
  const tables: string[] = [];
  let rowsBefore = 0;
  for (const where of wheres.length > 0 ? wheres : [run.snapshot.kind === "postgres" ? "false" : "1 = 0"]) {
    const read = desk.name("changed");
    tables.push(read);
    const report = await extractInto(read, {
      snapshot, table, staging, signal, where,
      onProgress: (rows) => {
        progress.rowsRead = rowsBefore + rows;
        if (progress.rowsRead > rowsMax) enough.abort(new ReadAllInstead("Many of its rows have changed: all of it is read."));
      },
    });
    for (const text of report.notes) note(progress, text);
    rowsBefore += report.rows;
  }
  const all = desk.name("all_changed");
  await desk.connection.run(`CREATE VIEW ${all} AS ${tables.map((name) => `FROM ${name}`).join(" UNION ALL ")}`);
  return all;
}

/** All keys of the source, and nothing else of it: what is not among them was deleted. */
async function readKeys({ run, table }: Merge, desk: Desk, keys: readonly LakeColumn[]): Promise<string> {
  const name = desk.name("keys");
  const { snapshot, staging, signal } = run;
  await extractInto(name, { snapshot, table, staging, signal, only: table.primaryKey });
  const view = desk.name("cast_keys");
  await desk.connection.run(`CREATE VIEW ${view} AS SELECT ${namesOf(keys)} FROM ${name}`);
  return view;
}

/** Nothing is new, rows were only added, or the lake has to be asked: told by the sums of the keys then, now, and of the rows read. */
async function newsOf(connection: DuckDBConnection, { memory }: TableState, now: KeySum | undefined, read: string, keys: readonly LakeColumn[]): Promise<"added" | "mixed"> {
  if (!now || memory?.kind !== "postgres") return "mixed";
  return isSameKeys(now, addKeys(memory.keys, await sumKeys(connection, `FROM ${read}`, keys))) ? "added" : "mixed";
}

type Search = { plan: LakeFiles; read: string; keys: readonly LakeColumn[]; scope: Scope; sourceKeys: string | undefined; news: "added" | "mixed" };
/** `hits`: lake rows by file and position, `same` where the source has them as they are. `deleted`: positions that were deleted before. */
type Places = { hits: string; deleted: string };

async function findPlaces({ shape }: Merge, { connection, name }: Desk, { plan, read, keys, scope, sourceKeys, news }: Search): Promise<Places> {
  const places = { hits: name("hits"), deleted: name("deleted") };
  await connection.run(`CREATE TEMP TABLE ${places.hits} (file BIGINT, position BIGINT, same BOOLEAN, ${declare(keys)})`);
  await connection.run(`CREATE TEMP TABLE ${places.deleted} (file BIGINT, position BIGINT)`);
  if (news === "added" || (scope.kind === "ranges" && scope.lakeWhere === "")) return places;
  const isGone = sourceKeys === undefined ? "false" : `NOT EXISTS (SELECT 1 FROM ${sourceKeys} AS k WHERE ${isEqual("k", "f", keys)})`;
  const isFound = `c.${identifier(keys[0]!.name)} IS NOT NULL`;
  await plan.each(shape.columns, async ({ id }, { left, deleted }) => {
    const rows = scope.kind === "ranges" ? `(SELECT * ${left} WHERE ${scope.lakeWhere})` : `(SELECT * ${left})`;
    await connection.run(
      `INSERT INTO ${places.hits} SELECT ${id}, f.${POSITION}, ${isFound} AND ${isEqual("c", "f", shape.columns)}, ${keys.map(({ name }) => `f.${identifier(name)}`).join(", ")}
       FROM ${rows} AS f LEFT JOIN ${read} AS c ON ${isEqual("c", "f", keys)} WHERE ${scope.kind === "ranges" ? "true" : `${isFound} OR ${isGone}`}`,
    );
    if (deleted) await connection.run(`INSERT INTO ${places.deleted} SELECT ${id}, pos ${deleted}`);
  });
  return places;
}

/** The field ids that the Iceberg specification reserves for these columns; DuckLake's own writer uses them too. */
const DELETE_COLUMNS: LakeColumn[] = [
  { id: 2_147_483_546, name: "file_path", type: "varchar", nullable: false, children: [] },
  { id: 2_147_483_545, name: "pos", type: "int64", nullable: false, children: [] },
];

async function writeDeletes({ run, lake }: Merge, { connection }: Desk, files: readonly LakeFile[], { hits, deleted }: Places): Promise<LakeChange[]> {
  const name = { schema: lake.schema, name: lake.name };
  const existing = { ...name, expect: { tableId: lake.tableId } };
  const reader = await connection.runAndReadAll(`SELECT file, count(*) FROM ${hits} WHERE NOT same GROUP BY file`);
  const gone = new Map(reader.getRows().map(([file, rows]) => [Number(file), Number(rows)]));
  const ended: number[] = [];
  const deletes: Extract<LakeChange, { kind: "delete" }>["deletes"] = [];
  for (const { id, path, rows, deletes: before } of files) {
    const count = gone.get(id);
    if (count === undefined) continue;
    if (count + (before?.rows ?? 0) === rows) {
      ended.push(id);
      continue;
    }
    run.signal.throwIfAborted();
    const file = join(run.staging.directory, `${run.staging.nextName("deletes")}.parquet`);
    const positions = `SELECT position FROM ${hits} WHERE NOT same AND file = ${id} UNION SELECT position FROM ${deleted} WHERE file = ${id}`;
    const written = await writeParquet(connection, `SELECT ${literal(path)} AS file_path, position AS pos FROM (${positions}) ORDER BY position`, DELETE_COLUMNS, file);
    if (!written) throw new Error("a delete file came out empty");
    const { statistics: _, ...deleteFile } = written;
    const [place] = await run.platform.uploads([name]);
    if (!place) throw new Error("the platform gave no place for a file");
    await run.platform.upload(place.url, file, written.bytes);
    await rm(file, { force: true });
    deletes.push({ dataFileId: id, file: { ...deleteFile, path: place.path } });
  }
  return [
    ...(deletes.length > 0 ? [{ kind: "delete" as const, ...existing, deletes }] : []),
    ...(ended.length > 0 ? [{ kind: "drop_files" as const, ...existing, dataFileIds: ended }] : []),
  ];
}
