// A table's files are told apart by ranges of their ids, each of which has a manifest. A commit adds files to the last
// range alone, so the manifests of the others stay as they are.

/** Files of a manifest. */
export const FILES_PER_MANIFEST = 500;

/** Where the ranges after the first begin, in order; `newest`: the files are those of the table as of now. */
export function arrangeRanges(
  sql: SqlStorage,
  tableId: number,
  { fileIds, newest }: { fileIds: readonly number[]; newest: boolean },
): number[] {
  const starts = sql
    .exec<{ id: number }>(
      "SELECT first_file_id AS id FROM fjord_iceberg_ranges WHERE table_id = ? ORDER BY first_file_id",
      tableId,
    )
    .toArray()
    .map(({ id }) => id);
  if (!newest) return starts;
  const last = starts.at(-1) ?? 0;
  const open = fileIds.filter((id) => id >= last);
  const added = open.filter((_, index) => index > 0 && index % FILES_PER_MANIFEST === 0);
  if (added.length > 0)
    sql.exec(
      "INSERT OR IGNORE INTO fjord_iceberg_ranges (table_id, first_file_id) SELECT ?, value FROM json_each(?)",
      tableId,
      JSON.stringify(added),
    );
  return [...starts, ...added];
}

/** The rows of each range, none of them empty. An older snapshot may have more files in a range: they are cut too. */
export function splitByRange<Row>(
  rows: readonly Row[],
  starts: readonly number[],
  fileIdOf: (row: Row) => number,
): Row[][] {
  const ranges = Map.groupBy(rows, (row) => rangeOf(fileIdOf(row), starts));
  return [...ranges]
    .sort(([one], [other]) => one - other)
    .flatMap(([, range]) =>
      Array.from({ length: Math.ceil(range.length / FILES_PER_MANIFEST) }, (_, part) =>
        range.slice(part * FILES_PER_MANIFEST, (part + 1) * FILES_PER_MANIFEST),
      ),
    );
}

/** The number of ranges that begin at or before the file. */
function rangeOf(fileId: number, starts: readonly number[]): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= fileId) low = middle + 1;
    else high = middle;
  }
  return low;
}
