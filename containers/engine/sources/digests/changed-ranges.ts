// Ranges whose digests changed have their rows read, or the whole table is read where they are most of it. This file is
// pure.

import {
  anyOf,
  readWholeTable,
  type ChangedRows,
  type FirstBounds,
  type ChangeReport,
  type NewBaseline,
} from "../../extract/changes/changes.ts";
import type { KeyChecksum } from "../../extract/changes/key-checksum.ts";
import { READ_ALL } from "../../extract/changes/read-all-reasons.ts";

const RANGES_PER_READ = 100;
/** A table is read as a whole where more than this share of its rows, and more than so many, are in changed ranges. */
const SHARE_MAX = 0.5;
const ROWS_MIN = 50_000;

/** A condition on the lake's rows of a range, and its bounds of the key's first column. */
export type LakeRange = { where: string; bounds: FirstBounds };

/** Conditions on a range's rows, at the source and in the lake; without `lake` every key has to be compared. */
export type ChangedRange = { where: string; lake?: LakeRange | undefined };

export type RangeComparison = {
  changed: readonly ChangedRange[];
  ranges: { changed: number; all: number };
  rows: { changed: number; all: number };
  keys: { before: KeyChecksum; now: KeyChecksum };
};

export const readChangedRanges = (comparison: RangeComparison, baseline: NewBaseline): ChangeReport => {
  const { rows } = comparison;
  return rows.changed > Math.max(ROWS_MIN, rows.all * SHARE_MAX)
    ? readWholeTable(READ_ALL.manyRangesChanged(rows.changed, rows.all), baseline)
    : { changed: rowsOf(comparison), baseline };
};

function rowsOf({ changed, ranges, keys }: RangeComparison): ChangedRows {
  const wheres: string[] = [];
  for (let i = 0; i < changed.length; i += RANGES_PER_READ)
    wheres.push(anyOf(changed.slice(i, i + RANGES_PER_READ).map(({ where }) => where)));
  const inLake = changed.flatMap(({ lake }) => lake ?? []);
  return {
    wheres,
    compared:
      inLake.length === changed.length
        ? {
            kind: "ranges",
            lakeWhere: anyOf(inLake.map(({ where }) => where)),
            bounds: inLake.map((one) => one.bounds),
          }
        : { kind: "keys" },
    keys: { ...keys, method: "by_source" },
    method: `${ranges.changed} of ${ranges.all} ranges had changed`,
  };
}
