// The names that are likest to one that does not exist: spelt nearly so, or of the same words in another form.

import { editsBetween } from "./near-names.ts";
import { stemOf, wordsOf } from "./words.ts";

const NAMES_MAX = 3;
/** The words of both names that have to be in both: a third of them. */
const SHARED_MIN = 1 / 3;
/** An abbreviation has so many letters at the least, the first of them its word's. */
const ABBREVIATION_LETTERS_MIN = 3;

/** `isSpelling`: only what may be a misspelling of the name counts, not what has words of it. */
type Likeness = { isSpelling?: boolean };

/**
 * At most three of `items`, the likest first; none where nothing is like `wanted`. `namesOf`: what an item may be called,
 * one of which has to be like it.
 */
export function likeNames<Item>(
  wanted: string,
  items: readonly Item[],
  namesOf: (item: Item) => readonly string[],
  { isSpelling = false }: Likeness = {},
): Item[] {
  const likened = items.map((item) => ({
    item,
    likeness: Math.max(...namesOf(item).map((name) => likenessOf(wanted, name))),
  }));
  const like = likened.filter(({ likeness }) => likeness > (isSpelling ? 1 : 0));
  like.sort((one, other) => other.likeness - one.likeness);
  return like.slice(0, NAMES_MAX).map(({ item }) => item);
}

/** 0: they have nothing in common. Above 1: the one is a misspelling of the other. */
export function likenessOf(wanted: string, name: string): number {
  const edits = editsBetween(wanted.toLowerCase(), name.toLowerCase());
  if (edits !== undefined) return 2 - edits / 10;
  const [some, others] = [wanted, name].map((text) => [...new Set(wordsOf(text).map(stemOf))]) as [string[], string[]];
  const shared = some.filter((stem) => others.some((other) => isSameWord(stem, other))).length;
  const share = (2 * shared) / Math.max(some.length + others.length, 1);
  return share >= SHARED_MIN ? share : 0;
}

const isSameWord = (one: string, other: string): boolean =>
  one === other || isAbbreviation(one, other) || isAbbreviation(other, one);

/** `avg` for `average`: its letters in their order, from the first. */
function isAbbreviation(short: string, long: string): boolean {
  if (short.length < ABBREVIATION_LETTERS_MIN || short.length >= long.length || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}
