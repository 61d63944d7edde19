// Files as an engine would commit them: the first half of a table's columns grows with its files, the other half does
// not, so that bounds of the one leave files out and those of the other none.

import type { ColumnStatistics, NewDataFile } from "../../../../kernel/lake/commit.ts";
import { newId } from "../../../../src/core/ids.ts";
import { tableFolder, uploadPath } from "../../../../src/lake/format/names.ts";
import type { Append } from "../call.ts";

export const ROWS_PER_FILE = 1_000_000;
const BYTES_PER_FILE = 100_000_000;
const FOOTER_BYTES = 20_000;

export const filesOf = (
  { table, files, columns, firstFile }: Pick<Append, "table" | "files" | "columns" | "firstFile">,
  jobId: string,
): NewDataFile[] =>
  Array.from({ length: files }, (_, at) => ({
    path: uploadPath(jobId, tableFolder("main", table), newId()),
    bytes: BYTES_PER_FILE,
    footerBytes: FOOTER_BYTES,
    rows: ROWS_PER_FILE,
    statistics: Array.from({ length: columns }, (_, column) => statisticsOf(column, firstFile + at)),
  }));

/** The type of a table's column, by its place. */
export const typeOf = (column: number): string => TYPES[column % TYPES.length]!.type;

function statisticsOf(column: number, file: number): ColumnStatistics {
  const { boundsOf } = TYPES[column % TYPES.length]!;
  const [min, max] = boundsOf(file);
  const bytes = BYTES_PER_FILE / 10;
  return { columnId: column + 1, bytes, values: ROWS_PER_FILE, nulls: 0, min, max, containsNan: null };
}

const DAY_MS = 86_400_000;
const instant = (ms: number): string => new Date(ms).toISOString().replace("T", " ").replace("Z", "+00");

const TYPES: readonly { type: string; boundsOf: (file: number) => [min: string, max: string] }[] = [
  { type: "int64", boundsOf: (file) => [String(file * ROWS_PER_FILE), String((file + 1) * ROWS_PER_FILE - 1)] },
  { type: "timestamptz", boundsOf: (file) => [instant(file * 60_000), instant(file * 60_000 + DAY_MS)] },
  { type: "varchar", boundsOf: (file) => [`00${file % 10}f6c1e0a94b7d2`, `ffe${file % 10}95b08d3c27a1`] },
  { type: "decimal(18,2)", boundsOf: (file) => [`-${file % 100}.25`, `99${file % 1_000}.75`] },
];
