// Files are checked before they become part of a table. Pure.

import type { ColumnStatistics, NewDataFile, NewDeleteFile } from "../../../kernel/lake/commit.ts";
import { LAKE_CATALOG_LIMITS } from "../format/limits.ts";
import type { Flaw } from "../../core/problem.ts";
import { isNested } from "../format/column-types.ts";
import { uploadedName } from "../format/names.ts";

/** What a file is checked against: the table's folder below the lake's root, and its columns by field id. */
export type FileTarget = { path: string; columns: ReadonlyMap<number, { type: string; parentId: number | null }> };

/** `taken` holds the names of files the catalog has, and gathers those of this commit. */
export type Upload = { jobId: string; taken: Set<string> };

export function flawsOfFiles(
  files: readonly NewDataFile[],
  target: FileTarget,
  upload: Upload,
  pointer: string,
): Flaw[] {
  return files.flatMap((file, index) => {
    const flaws = flawsOfUpload(file, target, upload, `${pointer}/${index}`);
    const say = (field: string, message: string) =>
      void flaws.push({ pointer: `${pointer}/${index}/${field}`, message });
    const seen = new Set<number>();
    file.statistics.forEach((statistics, at) => {
      const message = seen.has(statistics.columnId)
        ? "This column has statistics already."
        : flawOfStatistics(statistics, file.rows, target);
      if (message) say(`statistics/${at}`, message);
      seen.add(statistics.columnId);
    });
    return flaws;
  });
}

/** What holds for data and delete files alike. */
export function flawsOfUpload(
  file: NewDeleteFile,
  target: Pick<FileTarget, "path">,
  { jobId, taken }: Upload,
  pointer: string,
): Flaw[] {
  const flaws: Flaw[] = [];
  const say = (field: string, message: string) => void flaws.push({ pointer: `${pointer}/${field}`, message });
  const name = uploadedName(jobId, target.path, file.path);
  if (name === undefined) say("path", "This path was not given to this job for this table.");
  else if (taken.has(name)) say("path", "This file is in the lake already.");
  else taken.add(name);
  if (file.bytes < 1) say("bytes", "A file is not empty.");
  if (file.footerBytes >= file.bytes) say("footerBytes", "A footer is smaller than its file.");
  return flaws;
}

function flawOfStatistics(statistics: ColumnStatistics, rows: number, { columns }: FileTarget): string | undefined {
  const column = columns.get(statistics.columnId);
  if (!column) return `The table has no column ${statistics.columnId}.`;
  if (statistics.bytes < 0 || statistics.nulls < 0 || statistics.nulls > statistics.values)
    return "Counts are not negative, and nulls are among the values.";
  const isTopLevel = column.parentId === null && !isNested(column.type);
  if (isTopLevel && statistics.values !== rows) return "A column has one value per row.";
  const isLong = [statistics.min, statistics.max].some(
    (bound) => bound !== null && bound.length > LAKE_CATALOG_LIMITS.boundCharactersMax,
  );
  return isLong ? `A bound has at most ${LAKE_CATALOG_LIMITS.boundCharactersMax} characters.` : undefined;
}
