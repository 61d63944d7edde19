// Names are compared by the edits between them, to suggest the name that somebody may have meant.

const CHARACTERS_MAX = 100;
/** The most edits between a name and a misspelling of it; short names allow fewer. */
const EDITS_MAX = 3;

/**
 * Levenshtein's distance, where two letters that changed places are one edit; undefined where it is more than a
 * misspelling.
 */
export function editsBetween(one: string, other: string): number | undefined {
  const max = Math.min(EDITS_MAX, Math.max(1, Math.floor(one.length / 3)));
  if (one === other) return 0;
  if (one.length > CHARACTERS_MAX || other.length > CHARACTERS_MAX || Math.abs(one.length - other.length) > max)
    return undefined;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, isSwapped ? before[j - 2]! + 1 : replaced));
    }
    if (Math.min(...next, ...row) > max) return undefined;
    [before, row] = [row, next];
  }
  const edits = row.at(-1)!;
  return edits <= max ? edits : undefined;
}
