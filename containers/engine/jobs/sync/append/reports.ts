// The notes of an `append` about rows: which it can't see, which it did not write, and that a table was emptied.

import { note, warn, type TableProgress } from "../progress/progress.ts";
import type { PreparedTable } from "../sync-run.ts";
import { unseenNote, type Cursor } from "../tables/cursor.ts";

/**
 * Notes what a run by a cursor can't find, or how a run without a cursor finds new rows. `seesLate`: the run reads the
 * rows that were written since the last run.
 */
export function noteMethod({ table, cursor, progress }: PreparedTable, seesLate: boolean): void {
  if (cursor) return note(progress, unseenNote(cursor, "append", seesLate));
  if (table.primaryKey.length === 0)
    return note(
      progress,
      "It has no key and no cursor: each run reads all its rows and adds those that the lake does not have. Equal " +
        "rows are counted.",
    );
  const read = seesLate ? "the rows that were written since the last run" : "all its rows";
  note(progress, `It has no cursor: each run reads ${read} and adds those whose key the lake does not have.`);
}

export const noteLateRowsMissing = (progress: TableProgress, why: string | null): void => {
  const missing = "Rows that were committed late before this run may be missing; a run in full brings them.";
  note(progress, why === null ? missing : `${missing} ${why}`);
};

export const noteCursorChanged = (progress: TableProgress, before: string, { column }: Cursor): void =>
  note(progress, `Its cursor was ${before} and is ${column.name} now: all rows are read to find those that are new.`);

export type AppendReport = {
  same: number;
  changed: number;
  rowsRead: number;
  /** Whether the source no longer has the cursor's largest value of the last run. */
  isEndGone: boolean;
  /** Whether the table's rows differ from the lake's altogether, so that all of them are added. */
  isAnew: boolean;
};

export function reportRows({ cursor, progress }: PreparedTable, report: AppendReport): void {
  const { changed, isAnew, isEndGone, rowsRead, same } = report;
  if (cursor && isEndGone) {
    const head = `The last run's largest ${cursor.column.name}, ${cursor.last}, is gone at the source`;
    if (isAnew)
      warn(
        progress,
        "numbers_began_anew",
        `${head}, and so are the rows of the lake: its numbers began anew. All ${rowsRead} rows that it has were ` +
          "added; the lake's rows stay. To have the source's rows alone, run the sync in full.",
      );
    else if (rowsRead === 0) note(progress, `${head}: it has no rows. The lake's rows stay.`);
    else note(progress, `${head}: all rows were read to find those that are new.`);
  }
  if (changed > 0 && !isAnew)
    warn(
      progress,
      "rows_not_written",
      `${changed} of the ${rowsRead} rows read were not written: the lake has rows of the same ` +
        `${cursor ? `key and ${cursor.column.name}` : "key"} with other values (${same} are as the lake has them). ` +
        "`append` does not follow changes. Where the rows have changed, use `merge`. Where the table was emptied and " +
        "its numbers began anew, run the sync in full: it replaces the lake's rows, and earlier snapshots keep them.",
    );
}
