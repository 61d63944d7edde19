// `merge` of what changed: rows that went or changed are deleted by their positions, new and changed ones added, in one
// snapshot.

import type { LakeChange, NewDataFile } from "../../../../../kernel/lake/commit.ts";
import type { ChangedRows, NewBaseline } from "../../../extract/changes/changes.ts";
import { READ_ALL, ReadAllInstead } from "../../../extract/changes/read-all-reasons.ts";
import { coarsened, type RangeChecksums } from "../changes/range-checksums.ts";
import type { Baseline } from "../commit/checkpoint.ts";
import { commitTable } from "../commit/commit-table.ts";
import { planLakeFiles } from "../rows/lake-files.ts";
import { countRows, withScratchTables, type ScratchTables } from "../rows/scratch-tables.ts";
import { partRows, uploadRows, uploadsOf } from "../rows/upload-rows.ts";
import { isReached, LargestValue } from "../tables/cursor.ts";
import type { Merge } from "./check-mergeable.ts";
import { countLostRows, deleteRows, planLosses } from "./delete-rows.ts";
import { planMerge, type MergePlan } from "./plan-merge.ts";
import { readChangedRows, type ChangedTable } from "./read-changed-rows.ts";
import { lastKeys, readKeysAndNames } from "./source-keys.ts";

/**
 * The share of the lake's rows that may have changed, and a number that may in any case: beyond both, a full read is
 * less work.
 */
const SHARE_MAX = 0.3;
const ROWS_MIN = 50_000;

/**
 * Reads the changed rows, plans, writes delete files and new files, and commits. Throws `ReadAllInstead` where the
 * changes are too many, or do not add up. Nothing is committed then.
 */
export async function mergeChanges(merge: Merge, changed: ChangedRows, baseline: NewBaseline | null): Promise<void> {
  const { run, lake, progress } = merge;
  progress.method = changed.method;
  const files = await planLakeFiles(run, lake.tableId);
  if (isUnchanged(changed, files.rows))
    return commitTable(merge, {
      changes: [],
      baseSnapshotId: files.snapshotId,
      baseline: baselineOf(baseline, lastKeys(merge), false),
      cursor: null,
    });
  await withScratchTables(run, async (scratch) => {
    const rowsMax = rowsReadMax(baseline, files.rows);
    const { named, rowsMin = 0 } = changed;
    if (rowsMin > rowsMax) throw new ReadAllInstead(READ_ALL.manyRowsChanged);
    const ahead = named && (await readKeysAndNames(merge, { ...changed, named }, scratch, rowsMax));
    const read = await readChangedRows(merge, { ...changed, ...ahead }, scratch, rowsMax);
    const { rows } = read.size;
    if (rows < rowsMin || (ahead?.rows ?? rows) !== rows)
      throw new ReadAllInstead(READ_ALL.namedRowsDiffer(ahead?.rows ?? rowsMin, rows));
    await requireLargest(merge, scratch, read);
    const plan = await planMerge(merge, { changed, scratch, files, read: read.name, sourceKeys: ahead?.sourceKeys });
    const lost = await countLostRows(scratch, plan.positions);
    const losses = planLosses(files.files, lost, Math.ceil(plan.added.rows / partRows(read.size)));
    progress.phase = "writing";
    const largest = new LargestValue(run.staging, merge.cursor, merge.cursor?.last ?? null);
    const { added, deletes } = await uploadRowsThatCome(merge, { plan, read, scratch, largest }, () =>
      deleteRows(merge, scratch, { losses, positions: plan.positions, root: files.root }),
    );
    progress.rowsDeleted = plan.gone.rows;
    await commitTable(merge, {
      changes: [...deletes, ...appendChange(merge, added)],
      baseSnapshotId: files.snapshotId,
      baseline: baselineOf(baseline, plan.sourceKeys, plan.positions.keysGone > 0),
      cursor: largest.checkpoint(null),
    });
  });
}

/** Whether no row was written, and the source's keys, as many as the lake's, sum to what they did at the last run. */
const isUnchanged = ({ wheres, summed }: ChangedRows, rowsBefore: number): boolean =>
  wheres.length === 0 &&
  summed?.before.rows === rowsBefore &&
  summed.now.rows === rowsBefore &&
  summed.now.sum === summed.before.sum;

/** The rows of ranges are counted before they are read, and most of them may be unchanged. */
const rowsReadMax = (baseline: NewBaseline | null, rowsBefore: number): number =>
  baseline?.kind === "digests" ? Infinity : Math.max(ROWS_MIN, rowsBefore * SHARE_MAX);

/** Without the row that the last run ended with, the table may have been emptied, and its numbers begun anew. */
async function requireLargest(
  { run, progress, cursor }: Merge,
  { connection }: ScratchTables,
  { name }: ChangedTable,
): Promise<void> {
  progress.rowsRead = await countRows(connection, `FROM ${name}`);
  if (cursor?.last && !(await isReached(run.staging, cursor, name)))
    throw new ReadAllInstead(READ_ALL.cursorValueGone(cursor.column.name, cursor.last));
}

type Coming = { plan: MergePlan; read: ChangedTable; scratch: ScratchTables; largest: LargestValue };

/** Uploads the new rows; meanwhile `writeDeletes` writes the deletes. */
async function uploadRowsThatCome(
  merge: Merge,
  { plan, read, scratch, largest }: Coming,
  writeDeletes: () => Promise<LakeChange[]>,
): Promise<{ added: NewDataFile[]; deletes: LakeChange[] }> {
  const { run, source, columnPlan, progress } = merge;
  const uploads = uploadsOf(merge);
  try {
    const { connection } = scratch;
    const newRows = { run, connection, columns: columnPlan.columns, uploads, onFile: largest.add };
    await uploadRows(newRows, plan.fresh, read.size);
    const deletes = await writeDeletes();
    progress.phase = "uploading";
    const added = await uploads.end();
    if (uploads.rows !== plan.added.rows)
      throw new Error(`${source.path}: ${plan.added.rows} rows are new and ${uploads.rows} were uploaded`);
    return { added, deletes };
  } finally {
    await uploads.settle();
  }
}

function appendChange({ lake: { schema, name, tableId } }: Merge, files: NewDataFile[]): LakeChange[] {
  return files.length > 0 ? [{ kind: "append", schema, name, expect: { tableId }, files }] : [];
}

function baselineOf(
  baseline: NewBaseline | null,
  sourceKeys: RangeChecksums | undefined,
  wereKeysGone: boolean,
): Baseline | null {
  if (baseline?.kind === "digests") return { kind: "digests", digests: baseline.digests };
  return baseline && sourceKeys
    ? { kind: "mark", mark: baseline.mark, keys: coarsened(sourceKeys), wereKeysGone }
    : null;
}
