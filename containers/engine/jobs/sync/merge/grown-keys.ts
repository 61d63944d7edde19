// Sums that the source made of its keys show that these are the last run's and those that are new in the lake. Then no
// key is gone, and the keys need not be read.

import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import type { SummedKeys } from "../../../extract/changes/changes.ts";
import { addChecksums, isSameChecksum, type KeyChecksum } from "../../../extract/changes/key-checksum.ts";
import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import { addRangeChecksums, checksumRanges, totalChecksum, type RangeChecksums } from "../changes/range-checksums.ts";
import { isEqual } from "../rows/scratch-tables.ts";
import type { RowPositions } from "./find-row-positions.ts";

type Inputs = {
  plan: { positions: RowPositions; gone: KeyChecksum; added: KeyChecksum };
  summed: SummedKeys;
  /** Checksums of the last run's keys. */
  before: RangeChecksums;
  /** The lake's rows before the merge. */
  rowsBefore: number;
  /** The view of the rows that were read, and the key's columns. */
  read: string;
  keys: readonly LakeColumn[];
};

/**
 * Checksums of the source's keys; undefined where one of them may be gone, or was found under another in the lake. A
 * key that is gone and went into the sum as much as others that came would stay unseen: the sum has 64 bits of each.
 */
export async function checksumGrownKeys(
  connection: DuckDBConnection,
  { plan, summed, before, rowsBefore, read, keys }: Inputs,
): Promise<RangeChecksums | undefined> {
  const inserted = `FROM ${read} AS r WHERE NOT EXISTS
    (SELECT 1 FROM ${plan.positions.hits} AS h WHERE ${isEqual("h", "r", keys)})`;
  const [[rows, sum] = []] = (
    await connection.runAndReadAll(
      `SELECT count(*)::VARCHAR, coalesce(sum(${quoteIdentifier(summed.column.lake.name)}), 0)::VARCHAR ${inserted}`,
    )
  ).getRows() as string[][];
  const isAll =
    rowsBefore === summed.before.rows &&
    rowsBefore + Number(rows) === summed.now.rows &&
    BigInt(summed.before.sum) + BigInt(sum!) === BigInt(summed.now.sum);
  if (!isAll) return undefined;
  const checksums = await checksumRanges(connection, inserted, keys, before.digest);
  // The rows that go have the very keys of those that come in their place.
  return isSameChecksum(addChecksums(plan.gone, totalChecksum(checksums)), plan.added)
    ? addRangeChecksums(before, checksums)
    : undefined;
}
