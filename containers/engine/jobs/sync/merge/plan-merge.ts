// What a merge takes away and what it adds, found and held against the source's keys before anything is written.
//
// Rows are found by comparing keys and ranges of them at the source, in DuckDB, or on both sides, and a type whose
// order or equality differs between the two would lose rows and double others without their number telling. So the
// lake's keys, those that go and those that come are summed here, the source's there, and the two have to agree.

import type { DuckDBConnection } from "@duckdb/node-api";
import { sameName } from "../../../duckdb/names.ts";
import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import { extractInto } from "../../../extract/extract-table.ts";
import type { LakeColumn, LakeTable } from "../../../contract/lake.ts";
import type { ChangedRows } from "../changes/find-changes.ts";
import { findRowPositions, HIT, type RowPositions } from "./find-row-positions.ts";
import { addChecksums, isSameChecksum, checksumKeys, type KeyChecksum } from "../changes/key-checksum.ts";
import { NO_CHECKSUMS, checksumRanges, totalChecksum, type RangeChecksums } from "../changes/range-checksums.ts";
import type { LakeFiles } from "../rows/lake-files.ts";
import { isEqual, namesOf, type ScratchTables } from "../rows/scratch-tables.ts";
import type { PreparedTable } from "../sync-run.ts";
import type { Checkpoint } from "../commit/checkpoint.ts";

/** What was found makes a full read the better way. */
export class ReadAllInstead extends Error {}

export type Merge = PreparedTable & { lake: LakeTable; checkpoint: Checkpoint };

export type MergePlan = {
  place: RowPositions;
  /** The table of rows to add. */
  fresh: string;
  gone: KeyChecksum;
  added: KeyChecksum;
  /** Of the source's keys, where they have been read. */
  spans: RangeChecksums | undefined;
};

/**
 * `read`: the rows that were read of the source. Throws {@link ReadAllInstead} where the lake would not come to the
 * source's keys.
 */
export async function planMerge(
  merge: Merge,
  changed: ChangedRows,
  desk: ScratchTables,
  files: LakeFiles,
  read: string,
): Promise<MergePlan> {
  const { table, columnPlan, progress, checkpoint } = merge;
  const { scope, keys: totals } = changed;
  const columns = columnPlan.columns;
  const keys = table.primaryKey.map(
    (key) => columns.find(({ name }) => sameName(name, table.columns.find((each) => each.name === key)!.lake.name))!,
  );
  await refuseDoubles(desk.connection, read, keys);
  let sourceKeys = scope.kind === "keys" && !totals?.now ? await readKeys(merge, changed, desk, keys) : undefined;
  for (;;) {
    progress.phase = "comparing";
    const place = await findRowPositions(desk, {
      plan: files,
      columns,
      keys,
      read,
      sourceKeys,
      scope,
      memory: checkpoint.memory,
    });
    await refuseDoubles(desk.connection, place.hits, keys);
    const fresh = desk.name("fresh");
    await desk.connection.run(
      `CREATE TEMP TABLE ${fresh} AS SELECT ${namesOf(columns)} FROM ${read} AS r WHERE NOT EXISTS (SELECT 1 FROM ${place.hits} AS h WHERE h.${HIT.same} AND ${isEqual("h", "r", keys)})`,
    );
    const sum = (from: string) => checksumKeys(desk.connection, from, keys, totals?.summed ?? "here");
    const [gone, added] = [await sum(`FROM ${place.hits} WHERE NOT ${HIT.same}`), await sum(`FROM ${fresh}`)];
    const plan = { place, fresh, gone, added, spans: sourceKeys?.spans };
    // By a cursor, what was deleted at the source goes unseen.
    if (!totals) return plan;
    const disagreement = compareKeys(files.rows, totals.before, plan, totals.now ?? totalChecksum(sourceKeys!.spans));
    if (disagreement === undefined) return plan;
    if (scope.kind !== "keys" || sourceKeys) throw new ReadAllInstead(`${disagreement} All of it is read.`);
    // Rows were deleted. Which, all keys of the source tell.
    sourceKeys = await readKeys(merge, changed, desk, keys);
  }
}

/** Why the lake would not have the keys of `now`; undefined where it would. */
function compareKeys(
  rowsBefore: number,
  before: KeyChecksum,
  { gone, added }: MergePlan,
  now: KeyChecksum,
): string | undefined {
  const rows = rowsBefore - gone.rows + added.rows;
  if (rows !== now.rows) return `The lake would have had ${rows} rows and not the source's ${now.rows}.`;
  return isSameChecksum(addChecksums(before, added), addChecksums(now, gone))
    ? undefined
    : "The lake would have had other keys than the source.";
}

/**
 * Keys the source tells apart may be one in the lake: dates that are none, arrays that begin at another index. Then
 * rows can't be told by them.
 */
async function refuseDoubles(connection: DuckDBConnection, rows: string, keys: readonly LakeColumn[]): Promise<void> {
  const doubles = await connection.runAndReadAll(
    `SELECT 1 FROM ${rows} GROUP BY ${keys.map(({ name }) => quoteIdentifier(name)).join(", ")} HAVING count(*) > 1 LIMIT 1`,
  );
  if (doubles.currentRowCount > 0)
    throw new ReadAllInstead(
      "Some of its keys are the same in the lake, and rows that changed can't be told by them: all of it is read.",
    );
}

/** All keys of the source, and nothing else of it: what is not among them was deleted. */
async function readKeys(
  { run, table, progress }: Merge,
  { keys: totals }: ChangedRows,
  desk: ScratchTables,
  keys: readonly LakeColumn[],
): Promise<{ name: string; spans: RangeChecksums }> {
  progress.phase = "reading";
  const name = desk.name("keys");
  const { snapshot, staging, signal } = run;
  await extractInto(name, {
    snapshot,
    table,
    staging,
    signal,
    only: table.primaryKey,
    onProgress: (rows) => void (progress.rowsCompared = rows),
  });
  const view = desk.name("cast_keys");
  await desk.connection.run(`CREATE VIEW ${view} AS SELECT ${namesOf(keys)} FROM ${name}`);
  return {
    name: view,
    spans: totals?.summed === "here" ? await checksumRanges(desk.connection, `FROM ${view}`, keys) : NO_CHECKSUMS,
  };
}
