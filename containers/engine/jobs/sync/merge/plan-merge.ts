// The rows that a merge takes away, and those that it adds, are found and held against the source's keys before
// anything is written.
//
// Rows are found by comparing keys and ranges of them at the source, in DuckDB, or on both sides, and a type whose
// order or equality differs between the two would lose rows and double others while their number stays right. So the
// lake's keys, those that go and those that come are checksummed here, the source's there, and the two have to agree.

import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import { READ_ALL, ReadAllInstead } from "../../../extract/changes/read-all-reasons.ts";
import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import type { ChangedRows } from "../../../extract/changes/changes.ts";
import { findRowPositions, HIT, type RowPositions } from "./find-row-positions.ts";
import { addChecksums, isSameChecksum, checksumKeys, type KeyChecksum } from "../../../extract/changes/key-checksum.ts";
import { totalChecksum, type RangeChecksums } from "../changes/range-checksums.ts";
import type { LakeFiles } from "../rows/lake-files.ts";
import { isEqual, namesOf, type ScratchTables } from "../rows/scratch-tables.ts";
import type { Merge } from "./check-mergeable.ts";
import { checksumGrownKeys } from "./grown-keys.ts";
import { digestOf, keyColumns, lastKeys, readSourceKeys, type SourceKeys } from "./source-keys.ts";

export type MergePlan = {
  positions: RowPositions;
  /** The table of rows to add. */
  fresh: string;
  gone: KeyChecksum;
  added: KeyChecksum;
  /** Checksums of the source's keys, where they have been read, or follow from its own sums. */
  sourceKeys: RangeChecksums | undefined;
};

/**
 * `files`: the lake's. `read`: the view of the rows that were read of the source. `sourceKeys`: where its keys were
 * read with them.
 */
type Inputs = {
  changed: ChangedRows;
  scratch: ScratchTables;
  files: LakeFiles;
  read: string;
  sourceKeys: SourceKeys | undefined;
};

/** Throws {@link ReadAllInstead} where the lake would not come to the source's keys. */
export async function planMerge(merge: Merge, inputs: Inputs): Promise<MergePlan> {
  const { changed, scratch } = inputs;
  const { compared, keys: totals, summed } = changed;
  const before = lastKeys(merge);
  const keys = keyColumns(merge);
  await refuseDoubles(scratch.connection, inputs.read, keys);
  let { sourceKeys } = inputs;
  if (compared.kind === "keys" && !totals?.now && !summed) sourceKeys ??= await readSourceKeys(merge, changed, scratch);
  for (;;) {
    const plan = await compareRows(merge, inputs, keys, sourceKeys);
    // A cursor can't show which rows were deleted at the source.
    if (!totals) return plan;
    const rowsBefore = inputs.files.rows;
    if (summed && !sourceKeys && before) {
      const grown = { plan, summed, before, rowsBefore, read: inputs.read, keys };
      const checksums = await checksumGrownKeys(scratch.connection, grown);
      if (checksums) return { ...plan, sourceKeys: checksums };
    } else {
      const now = totals.now ?? totalChecksum(sourceKeys!.checksums);
      const disagreement = compareKeys(rowsBefore, totals.before, plan, now);
      if (disagreement === undefined) return plan;
      if (compared.kind !== "keys" || sourceKeys) throw disagreement;
    }
    // Rows were deleted. All keys of the source show which ones.
    sourceKeys = await readSourceKeys(merge, changed, scratch);
  }
}

/** Finds the lake's rows that go, and of the rows that were read those that the lake has not as they are. */
async function compareRows(
  { columnPlan: { columns }, checkpoint, progress }: Merge,
  { changed: { compared, keys: totals }, scratch, files, read }: Inputs,
  keys: readonly LakeColumn[],
  sourceKeys: SourceKeys | undefined,
): Promise<MergePlan> {
  const { connection } = scratch;
  progress.phase = "comparing";
  const search = { plan: files, columns, keys, read, sourceKeys, compared, baseline: checkpoint.baseline };
  const positions = await findRowPositions(scratch, search);
  await refuseDoubles(connection, positions.hits, keys);
  const fresh = scratch.name("fresh");
  await connection.run(
    `CREATE TEMP TABLE ${fresh} AS SELECT ${namesOf(columns)} FROM ${read} AS r WHERE NOT EXISTS (SELECT 1
      FROM ${positions.hits} AS h WHERE h.${HIT.same} AND ${isEqual("h", "r", keys)})`,
  );
  const checksum = (from: string) => checksumKeys(connection, from, keys, digestOf(totals, checkpoint.baseline));
  const gone = await checksum(`FROM ${positions.hits} WHERE NOT ${HIT.same}`);
  const added = await checksum(`FROM ${fresh}`);
  return { positions, fresh, gone, added, sourceKeys: sourceKeys?.checksums };
}

/** The reason why the lake would not come to the keys of `now`; undefined where it would. */
function compareKeys(
  rowsBefore: number,
  before: KeyChecksum,
  { gone, added }: MergePlan,
  now: KeyChecksum,
): ReadAllInstead | undefined {
  const rows = rowsBefore - gone.rows + added.rows;
  if (rows !== now.rows) return new ReadAllInstead(READ_ALL.rowCountsDiffer(rows, now.rows));
  const isSame = isSameChecksum(addChecksums(before, added), addChecksums(now, gone));
  return isSame ? undefined : new ReadAllInstead(READ_ALL.keysDiffer);
}

/**
 * Keys that differ at the source may be one in the lake: dates that are none, arrays that begin at another index. Then
 * rows can't be found by them.
 */
async function refuseDoubles(connection: DuckDBConnection, rows: string, keys: readonly LakeColumn[]): Promise<void> {
  const columns = keys.map(({ name }) => quoteIdentifier(name)).join(", ");
  const doubles = await connection.runAndReadAll(
    `SELECT 1 FROM ${rows} GROUP BY ${columns} HAVING count(*) > 1 LIMIT 1`,
  );
  if (doubles.currentRowCount > 0) throw new ReadAllInstead(READ_ALL.sameKeysInLake);
}
