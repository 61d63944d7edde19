// The name that is nearest to a misspelled one. Pure.

const CHARACTERS_MAX = 300;

/** Undefined where none has half of its characters in common. */
export function nearest(wanted: string, names: readonly string[]): string | undefined {
  const edits = names
    .filter((name) => name.length <= CHARACTERS_MAX && wanted.length <= CHARACTERS_MAX)
    .map((name) => ({ name, edits: editsBetween(wanted.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits);
  const [first] = edits;
  return first && first.edits <= wanted.length / 2 ? first.name : undefined;
}

/** Levenshtein's distance. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced));
    }
    row = next;
  }
  return row.at(-1)!;
}
