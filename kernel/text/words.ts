// Words of names and sentences, in a form that a word's other forms share.

import { foldText } from "./fold-name.ts";

/** The folded words of a text, cut where a capital or a sign begins another word: `claimOpenDate` has three. */
export const wordsOf = (text: string): string[] => foldText(cutAtCapitals(text)).match(/[\p{L}\d]+/gu) ?? [];

const cutAtCapitals = (text: string): string =>
  text === text.toLowerCase()
    ? text
    : text.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");

/** Endings of English that leave a word's meaning near enough, longest first, and how many letters have to remain. */
const ENDINGS: readonly (readonly [ending: string, lettersMin: number])[] = [
  ["ization", 4],
  ["ation", 4],
  ["ement", 4],
  ["ment", 3],
  ["able", 4],
  ["ance", 4],
  ["ence", 4],
  ["ing", 3],
  ["ion", 4],
  ["ive", 4],
  ["ee", 4],
  ["ed", 3],
  ["er", 4],
  ["or", 4],
  ["al", 4],
];

/**
 * The stem of a folded word: without its plural and two endings, so that `settled`, `settles` and `settlement` are one,
 * and `deliver` and `deliveries`. A stem is no word of its own, and is compared with stems alone.
 */
export const stemOf = (word: string): string => withoutEnding(withoutEnding(singularOf(word)));

function withoutEnding(word: string): string {
  const isOn = ([ending, lettersMin]: (typeof ENDINGS)[number]): boolean =>
    word.endsWith(ending) && word.length - ending.length >= lettersMin;
  const [ending] = ENDINGS.find(isOn) ?? [""];
  const stem = word.slice(0, word.length - ending.length);
  if (ending !== "" && /([bdfgklmnprt])\1$/.test(stem)) return stem.slice(0, -1);
  return stem.length > 3 && /[^aeiou][ey]$/.test(stem) ? stem.slice(0, -1) : stem;
}

function singularOf(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
