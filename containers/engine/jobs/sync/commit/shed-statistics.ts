// A commit is one message, whatever the table's size: of very many files, statistics of some columns are left out.

import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import type { ColumnStatistics, LakeChange, NewDataFile } from "../../../../../kernel/lake/commit.ts";

/** Below the 24 MiB that the platform takes, with the sync's checkpoint of the table beside it. */
const BYTES_MAX = 20 * 1024 * 1024;

type Fitted = { changes: LakeChange[] /** Columns whose statistics were left out. */; columnsShed: number };

/**
 * Leaves out as many columns' statistics as it takes, those of `first` last: a column without them prunes no file and
 * is read as well. With none left, a commit holds the platform's 10,000 files, which are terabytes at the size parts
 * have.
 */
export function shedStatistics(
  changes: LakeChange[],
  columns: readonly LakeColumn[],
  first: readonly number[],
  bytesMax = BYTES_MAX,
): Fitted {
  const files = changes.flatMap((change) => ("files" in change ? change.files : []));
  const bytesOf = new Map<number, number>();
  for (const one of files.flatMap(({ statistics }) => statistics))
    bytesOf.set(one.columnId, (bytesOf.get(one.columnId) ?? 0) + sizeOf(one));
  let bytes = sizeOf(changes);
  const shed = new Set<number>();
  for (const id of [...bytesOf.keys()].sort((a, b) => rank(b, columns, first) - rank(a, columns, first) || b - a)) {
    if (bytes <= bytesMax) break;
    shed.add(id);
    bytes -= bytesOf.get(id)!;
  }
  if (shed.size === 0) return { changes, columnsShed: 0 };
  const thin = (file: NewDataFile): NewDataFile => ({
    ...file,
    statistics: file.statistics.filter(({ columnId }) => !shed.has(columnId)),
  });
  return {
    changes: changes.map((change) => ("files" in change ? { ...change, files: change.files.map(thin) } : change)),
    columnsShed: shed.size,
  };
}

const sizeOf = (value: ColumnStatistics | LakeChange[]): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/**
 * The least is the most useful: keys and cursors, then what ranges are asked for, then all else; what is nested comes
 * last.
 */
function rank(id: number, columns: readonly LakeColumn[], first: readonly number[]): number {
  if (first.includes(id)) return 0;
  const column = columns.find((each) => each.id === id);
  if (!column) return 3;
  return /^(date|time|u?int|decimal)/.test(column.type) ? 1 : 2;
}
