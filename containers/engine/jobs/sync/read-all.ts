// A table read as a whole, and written instead of the lake's rows, or added to them.

import { extractParts } from "../../extract/extract-table.ts";
import { checksumReadKeys } from "./changes/checksum-read-keys.ts";
import type { NewBaseline } from "../../extract/changes/changes.ts";
import { commitTable, tableChanges } from "./commit/commit-table.ts";
import { note } from "./progress/progress.ts";
import { planLakeFiles } from "./rows/lake-files.ts";
import { uploadsOf } from "./rows/upload-rows.ts";
import type { PreparedTable } from "./sync-run.ts";
import { LargestValue } from "./tables/cursor.ts";

/** `baseline`: what the next run compares with; the checksum of the keys that were read is added to it here. */
export async function readAll(
  prepared: PreparedTable,
  write: "overwrite" | "append",
  baseline: NewBaseline | null,
): Promise<void> {
  const { run, source, table, columnPlan, cursor, progress } = prepared;
  const { sourceSnapshot, staging, signal } = run;
  const uploads = uploadsOf(prepared);
  const keys = checksumReadKeys(prepared, baseline);
  const largest = new LargestValue(staging, cursor, null);
  try {
    const rowsReplaced = write === "overwrite" ? await countReplaced(prepared) : 0;
    const report = await extractParts({
      snapshot: sourceSnapshot,
      table,
      staging,
      signal,
      ...(columnPlan.kind === "keep" ? { columns: columnPlan.columns } : {}),
      onProgress: (rows) => void (progress.rowsRead = rows),
      async onPart(part) {
        await largest.add(part.file);
        await uploads.add(part, keys.add);
      },
    });
    for (const text of report.notes) note(progress, text);
    progress.phase = "uploading";
    const files = await uploads.end();
    if (uploads.rows !== report.rows)
      throw new Error(`${source.path}: ${report.rows} rows were read and ${uploads.rows} uploaded`);
    progress.rowsRead = report.rows;
    progress.rowsDeleted = rowsReplaced;
    await commitTable(prepared, {
      changes: tableChanges(prepared, files, write),
      cursor: largest.checkpoint(null),
      baseline: await keys.end(),
    });
  } finally {
    await uploads.settle();
  }
}

/** How many rows of the lake the new ones replace. */
async function countReplaced({ run, lake }: PreparedTable): Promise<number> {
  return lake ? (await planLakeFiles(run, lake.tableId)).rows : 0;
}
