// The files of a table are put into groups, each of which is written anew together. Pure, and the same for the same
// files.

import type { PlannedFile } from "../../../kernel/lake/lake.ts";

/** A live data file with the rows that are deleted from it. */
export type LiveFile = PlannedFile & { fileOrder: number; rowIdStart: number | null; deletes: PlannedFile | null };

/** Files of one compaction at most; each is fetched by a URL of its own. */
export const GROUP_FILES_MAX = 5_000;

/** A file is small below this share of the size that is aimed at; two small ones fit together. */
export const SMALL_SHARE = 1 / 2;

const rowsLeft = ({ rows, deletes }: LiveFile): number => rows - (deletes?.rows ?? 0);

/** What is left of the file once its deleted rows are. */
export const bytesLeft = (file: LiveFile): number =>
  file.rows === 0 ? 0 : Math.round((file.bytes * rowsLeft(file)) / file.rows);

/**
 * Adjacent small files, in the table's order, to be merged.
 *
 * Groups that come near the target are merged: their bytes are never merged again. Below that a group has at least
 * twice the bytes of its largest file. So each time a byte is written anew its file is at least twice as large, however
 * often files are added and merged: at most log2(target / smallest file) times in all. What is left in between are
 * files each larger than all the smaller ones beside it. A file without rows joins others, or is a group alone: that
 * costs nothing.
 */
export function groupsToMerge(files: readonly LiveFile[], targetBytes: number): LiveFile[][] {
  const smallBytes = targetBytes * SMALL_SHARE;
  const groups: LiveFile[][] = [];
  let [chunk, bytes] = [[] as LiveFile[], 0];
  const end = (isFull: boolean) => {
    groups.push(...(isFull || bytes >= smallBytes ? [chunk] : tiersOf(chunk)).filter(isWorthIt));
    [chunk, bytes] = [[], 0];
  };
  for (const file of files) {
    const size = bytesLeft(file);
    if (size >= smallBytes) {
      end(false);
      continue;
    }
    if (bytes + size > targetBytes) end(true);
    if (chunk.length >= GROUP_FILES_MAX) end(false);
    chunk.push(file);
    bytes += size;
  }
  end(false);
  return groups;
}

const isWorthIt = (group: readonly LiveFile[]): boolean =>
  group.length > 1 || (group.length === 1 && rowsLeft(group[0]!) === 0);

/** A run of files, cut at those that are larger than all others of their part together. */
function tiersOf(run: readonly LiveFile[]): LiveFile[][] {
  if (run.length === 0) return [];
  const sizes = run.map(bytesLeft);
  const largest = sizes.reduce((best, size, at) => (size > sizes[best]! ? at : best), 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total >= 2 * sizes[largest]!) return [[...run]];
  return [...tiersOf(run.slice(0, largest)), ...tiersOf(run.slice(largest + 1))];
}

/**
 * Files of which at least the share `deleteThreshold` of the rows is deleted. Adjacent ones are written together as far
 * as what is left of them stays below the target; one of which more is left is a group alone, however large.
 */
export function groupsToRewrite(
  files: readonly LiveFile[],
  { targetBytes, deleteThreshold }: { targetBytes: number; deleteThreshold: number },
): LiveFile[][] {
  const groups: LiveFile[][] = [];
  let [group, bytes] = [[] as LiveFile[], 0];
  const end = () => {
    if (group.length > 0) groups.push(group);
    [group, bytes] = [[], 0];
  };
  for (const file of files) {
    const deleted = file.deletes?.rows ?? 0;
    if (deleted === 0 || deleted < file.rows * deleteThreshold) {
      end();
      continue;
    }
    if (bytes + bytesLeft(file) > targetBytes || group.length >= GROUP_FILES_MAX) end();
    group.push(file);
    bytes += bytesLeft(file);
  }
  end();
  return groups;
}
