// The names that are likest to one that does not exist: spelt nearly so, or of the same words in another form.

import { editsBetween } from "./near-names.ts";
import { stemOf, wordsOf } from "./words.ts";

const NAMES_MAX = 3;
/** Longer names are like none. */
const CHARACTERS_MAX = 200;
/** The words of both names that have to be in both: a third of them. */
const SHARED_MIN = 1 / 3;
/** An abbreviation has so many letters at the least, the first of them its word's. */
const ABBREVIATION_LETTERS_MIN = 3;

/** `isSpelling`: only what may be a misspelling of the name counts, not what has words of it. */
type Likeness = { isSpelling?: boolean };

/**
 * At most three of `items`, the likest first; none where nothing is like `wanted`. `namesOf`: what an item may be
 * called, one of which has to be like it.
 */
export function likeNames<Item>(
  wanted: string,
  items: readonly Item[],
  namesOf: (item: Item) => readonly string[],
  { isSpelling = false }: Likeness = {},
): Item[] {
  if (wanted.length > CHARACTERS_MAX) return [];
  const stems = stemsOf(wanted);
  const likened = items.map((item) => {
    const each = namesOf(item).map((name) => likenessOf({ wanted, stems }, name));
    return { item, likeness: Math.max(...each) };
  });
  const like = likened.filter(({ likeness }) => likeness > (isSpelling ? 1 : 0));
  like.sort((one, other) => other.likeness - one.likeness);
  return like.slice(0, NAMES_MAX).map(({ item }) => item);
}

/** 0: they have nothing in common. Above 1: the one is a misspelling of the other. */
function likenessOf({ wanted, stems }: { wanted: string; stems: readonly string[] }, name: string): number {
  if (name.length > CHARACTERS_MAX) return 0;
  const edits = editsBetween(wanted.toLowerCase(), name.toLowerCase());
  if (edits !== undefined) return 2 - edits / 10;
  const others = stemsOf(name);
  const shared = stems.filter((stem) => others.some((other) => isSameWord(stem, other))).length;
  const share = (2 * shared) / Math.max(stems.length + others.length, 1);
  return share >= SHARED_MIN ? share : 0;
}

const stemsOf = (name: string): string[] => [...new Set(wordsOf(name).map(stemOf))];

const isSameWord = (one: string, other: string): boolean =>
  one === other || isAbbreviation(one, other) || isAbbreviation(other, one);

/** `avg` for `average`: its letters in their order, from the first. */
function isAbbreviation(short: string, long: string): boolean {
  if (short.length < ABBREVIATION_LETTERS_MIN || short.length >= long.length || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}
