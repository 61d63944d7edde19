// One group of data files: fetched, written anew as one or few, uploaded, and put in their place by one commit.

import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Semaphore } from "../../../program/semaphore.ts";
import { freeBytes, retryOnFullDisk } from "../../core/disk.ts";
import { diskFull, Failure } from "../../core/failure.ts";
import { retryOnKill } from "../../core/process-end.ts";
import type { CommitAnswer, NewDataFile } from "../../../../kernel/lake/commit.ts";
import type { LakeColumn, PlannedFile } from "../../../../kernel/lake/lake.ts";
import type { CompactionGroup, MaintenanceWork } from "../../../../kernel/lake/maintenance.ts";
import type { LocalFile } from "../../lake/process/write-work.ts";
import type { JobPlatform } from "../../platform/job-platform.ts";
import { PartUploads } from "../../platform/part-uploads.ts";
import { composeRewrite, type SourceFile } from "./compose-rewrite.ts";
import type { RewriteProcess } from "./rewrite-process.ts";

/** Files that are fetched at once. */
const FETCHED_AT_ONCE = 8;
/** URLs are signed for so many files at a time, just before they are fetched. */
const SIGNED_MAX = 500;
/** A file may become this much larger than asked for rather than leave a small one behind it. */
const OVERSIZE = 1.5;
/** The size at which wide rows end a row group. */
const ROW_GROUP_BYTES = 16 * 1024 * 1024;
/** Disk space of the new files: a multiple of the old files' size, and a bound in any case. */
const GROWTH_MAX = 8;
const NEW_BYTES_MIN = 256 * 1024 * 1024;
/** Kept free on the disk for statements and syncs. */
const DISK_RESERVE_BYTES = 128 * 1024 * 1024;

/** The dependencies that the groups of a maintenance share. */
export type Rewriting = {
  work: MaintenanceWork;
  platform: JobPlatform;
  process: RewriteProcess;
  signal: AbortSignal;
  /** A permit to use the process. */
  writing: Semaphore;
  /** A permit to commit. */
  committing: Semaphore;
  /** Tables whose rows are too wide for row groups of the usual size. */
  wide: Set<number>;
};

export type PlannedGroup = {
  group: CompactionGroup;
  columns: readonly LakeColumn[];
  /** The plan's snapshot. */
  snapshotId: number;
  /**
   * The newest snapshot up to which the plan is known to hold for the table; a commit proves it for all snapshots
   * before its own. Groups of one table share it.
   */
  base: { snapshotId: number };
};

export type Rewritten = CommitAnswer & { files: number; bytes: number; rows: number };

let groups = 0;

/** Rejects with a Failure, or the signal's reason; then the table is as it was, unless the commit's answer was lost. */
export async function rewriteGroup(rewriting: Rewriting, planned: PlannedGroup): Promise<Rewritten> {
  const folder = `group-${++groups}`;
  const writing = async (): Promise<NewDataFile[]> => {
    try {
      await mkdir(join(rewriting.process.directory, folder, "new"), { recursive: true });
      return await writeAndUpload(rewriting, planned, folder);
    } catch (error) {
      throw inWords(error, planned.group);
    } finally {
      await rm(join(rewriting.process.directory, folder), { recursive: true, force: true });
    }
  };
  const files = await retryOnFullDisk(() => retryOnKill(writing));
  const answer = await rewriting.committing.run(() => commit(rewriting, planned, files), rewriting.signal);
  const sum = (of: "bytes" | "rows"): number => files.reduce((total, file) => total + file[of], 0);
  return { ...answer, files: files.length, bytes: sum("bytes"), rows: sum("rows") };
}

async function writeAndUpload(rewriting: Rewriting, planned: PlannedGroup, folder: string): Promise<NewDataFile[]> {
  const { group } = planned;
  checkDisk(rewriting, group);
  rewriting.process.begin();
  const local = await fetchAll(rewriting, planned, folder);
  const written = await rewriting.writing.run(async () => {
    const sources = await sourcesOf(rewriting, group, local);
    return write(rewriting, { ...planned, folder, sources });
  }, rewriting.signal);
  const rows = written.reduce((sum, file) => sum + file.rows, 0);
  if (rows !== liveRows(group))
    throw new Failure(
      "sql_error",
      `The files have ${rows} rows, where the catalog knows of ${liveRows(group)}; they stay as they are.`,
    );
  const { schema, name } = group;
  const uploads = new PartUploads(rewriting.platform, { schema, name }, () => undefined);
  try {
    for (const file of written) await uploads.add(withoutRowIds(file, planned.columns));
    return await uploads.end();
  } finally {
    await uploads.settle();
  }
}

/** Throws where the disk has too little space for the group, rather than take it from running statements and syncs. */
function checkDisk({ process }: Rewriting, group: CompactionGroup): void {
  if (freeBytes(process.directory) < 2 * bytesOf(group) + DISK_RESERVE_BYTES) throw diskFull(undefined);
}

/** The group's files on the local disk: paths below the process's directory, by the files' ids. */
async function fetchAll(
  { platform, process, signal }: Rewriting,
  { group, snapshotId }: PlannedGroup,
  folder: string,
): Promise<Map<number, string>> {
  const wanted = group.files.flatMap(({ deletes, ...file }): PlannedFile[] => [file, ...(deletes ? [deletes] : [])]);
  const fetching = new Semaphore(FETCHED_AT_ONCE);
  const broken = new AbortController();
  const either = AbortSignal.any([signal, broken.signal]);
  const local = new Map(wanted.map(({ id }) => [id, `${folder}/${id}.parquet`]));
  for (let i = 0; i < wanted.length; i += SIGNED_MAX) {
    const some = wanted.slice(i, i + SIGNED_MAX);
    const ids = some.map(({ id }) => id);
    const urls = await platform.sign(ids, snapshotId);
    const fetchOne = async ({ id, path, bytes }: PlannedFile): Promise<void> => {
      const to = join(process.directory, local.get(id)!);
      await platform.download(urls[id] ?? "", to, bytes).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.code !== "platform_unavailable") throw error;
        throw new Failure(error.code, `${path} could not be read from the lake's storage.`, { cause: error.cause });
      });
    };
    const fetched = some.map((file) => fetching.run(() => fetchOne(file), either));
    try {
      await Promise.all(fetched);
    } catch (error) {
      broken.abort(error);
      // Nobody writes into the folder any more once it is removed.
      await Promise.allSettled(fetched);
      throw error;
    }
  }
  return local;
}

async function sourcesOf(
  { process, signal }: Rewriting,
  { files }: CompactionGroup,
  local: Map<number, string>,
): Promise<SourceFile[]> {
  const shapes = await process.shapes(
    files.map(({ id }) => local.get(id)!),
    signal,
  );
  return files.map(({ id, rowIdStart, rows, deletes }) => ({
    path: local.get(id)!,
    shape: shapes.get(local.get(id)!)!,
    rowIdStart,
    rows,
    deletes: deletes ? local.get(deletes.id)! : undefined,
  }));
}

/**
 * DuckDB's message with the lake's names for the files; hints about statements would mean nothing to the reader of a
 * table's failure.
 */
function inWords(error: unknown, { files }: CompactionGroup): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === "resources_exceeded") return new Failure(error.code, TOO_WIDE, { cause: error });
  const paths = new Map(
    files.flatMap(
      ({ id, path, deletes }) =>
        [[id, path], ...(deletes ? [[deletes.id, deletes.path]] : [])] as Array<[number, string]>,
    ),
  );
  const message = error.message.replace(LOCAL_FILE, (local, id: string) => paths.get(Number(id)) ?? local);
  return message === error.message ? error : new Failure(error.code, message, { cause: error.cause });
}

const LOCAL_FILE = /group-\d+\/(\d+)\.parquet/g;
const TOO_WIDE =
  "Its rows took more memory or temporary disk than a maintenance may have, or a file of it could not be read.";

type ToWrite = PlannedGroup & { folder: string; sources: SourceFile[] };

/** Writes the files, and once more, carefully, where the rows turn out too wide for the usual way. */
async function write(rewriting: Rewriting, toWrite: ToWrite): Promise<LocalFile[]> {
  const { wide, signal, process } = rewriting;
  const { tableId } = toWrite.group;
  if (wide.has(tableId)) return writeOnce(rewriting, toWrite, true);
  try {
    return await writeOnce(rewriting, toWrite, false);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure) || error.code !== "resources_exceeded") throw error;
    wide.add(tableId);
    const begun = join(process.directory, toWrite.folder, "new");
    await rm(begun, { recursive: true, force: true });
    await mkdir(begun);
    return writeOnce(rewriting, toWrite, true);
  }
}

function writeOnce(
  { process, signal }: Rewriting,
  { group, columns, folder, sources }: ToWrite,
  isCareful: boolean,
): Promise<LocalFile[]> {
  const { targetBytes, compression, rowGroupRows } = group;
  const fileBytes = liveBytes(group) <= targetBytes * OVERSIZE ? undefined : targetBytes;
  const order = {
    ...composeRewrite(columns, sources, fileBytes === undefined && !isCareful),
    paths: sources.flatMap(({ path, deletes }) => (deletes ? [path, deletes] : [path])),
    directory: `${folder}/new`,
    bytesMax: Math.max(NEW_BYTES_MIN, GROWTH_MAX * bytesOf(group)),
    form: {
      fileBytes,
      compression: compression ?? undefined,
      rowGroupRows: rowGroupRows ?? undefined,
      rowGroupBytes: isCareful ? ROW_GROUP_BYTES : undefined,
    },
    isCareful,
  };
  return process.write(order, signal);
}

/** Removes the column of row ids, as the catalog knows the table's own columns only. */
function withoutRowIds(file: LocalFile, columns: readonly LakeColumn[]): LocalFile {
  const ids = new Set<number>();
  const add = ({ id, children }: LakeColumn): void => {
    ids.add(id);
    children.forEach(add);
  };
  columns.forEach(add);
  return { ...file, statistics: file.statistics.filter(({ columnId }) => ids.has(columnId)) };
}

async function commit(
  { platform, work }: Rewriting,
  { group, base }: PlannedGroup,
  files: NewDataFile[],
): Promise<CommitAnswer> {
  const { schema, name, tableId } = group;
  const dataFileIds = group.files.map(({ id }) => id);
  const deleteFileIds = group.files.flatMap(({ deletes }) => (deletes ? [deletes.id] : []));
  const digest = createHash("sha256").update(dataFileIds.join(",")).digest("hex").slice(0, 32);
  const answer = await platform.commit({
    key: `maintenance/${work.runId}/${digest}`,
    author: null,
    message: `Write ${dataFileIds.length} files of ${schema}.${name} anew`.slice(0, MESSAGE_CHARACTERS_MAX),
    baseSnapshotId: base.snapshotId,
    changes: [{ kind: "compact", schema, name, expect: { tableId }, dataFileIds, deleteFileIds, files }],
  });
  base.snapshotId = Math.max(base.snapshotId, answer.snapshotId);
  return answer;
}

const MESSAGE_CHARACTERS_MAX = 500;

/** Bytes of the group's files on the disk, delete files included. */
export const bytesOf = ({ files }: CompactionGroup): number =>
  files.reduce((sum, { bytes, deletes }) => sum + bytes + (deletes?.bytes ?? 0), 0);

/** Rows that are not deleted. */
export const liveRows = ({ files }: CompactionGroup): number =>
  files.reduce((sum, { rows, deletes }) => sum + rows - (deletes?.rows ?? 0), 0);

/** About the size of the rows that are not deleted, as the files hold them now. */
const liveBytes = ({ files }: CompactionGroup): number =>
  files.reduce((sum, { bytes, rows, deletes }) => sum + bytes * (1 - (deletes?.rows ?? 0) / Math.max(1, rows)), 0);
