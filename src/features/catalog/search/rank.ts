// Texts are ranked by BM25: rare words count more, repeated ones less and less, and long texts less than short ones.

import { foldText } from "../../../../kernel/text/fold-name.ts";

/** A text of something that can be found, and how much a word of it counts. */
export type Field = { text: string; weight: number };
export type Ranked<Item> = { item: Item; score: number };

/** How soon repeating a word stops to count, and how much a long text is held against it: BM25's usual choice. */
const SATURATION = 1.2;
const LENGTH_EFFECT = 0.6;

/** Words of questions that say nothing of what is asked for. */
const STOP_WORDS = new Set(
  (
    "a all an and any are as at be been by can did do does each every find for from get give had has have how i in is it " +
    "list many me much my of on one or our per show table tables tell that the their them there these they this those to " +
    "us was we were what when where which who whose why will with you"
  ).split(" "),
);

/**
 * The words of a text in a form that a word's other forms share: folded, without endings of plural, and cut where a
 * capital or a sign begins another word.
 */
export const wordsOf = (text: string): string[] =>
  (foldText(text.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")).match(/[\p{L}\d]+/gu) ?? []).map(stemOf);

function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** The likest to a question first; what has no word of it is left out. */
export function rank<Item>(
  items: readonly Item[],
  fieldsOf: (item: Item) => readonly Field[],
  question: string,
): Ranked<Item>[] {
  const asked = askedWordsOf(question);
  const indexed = items.map((item) => ({ item, ...countWords(fieldsOf(item), asked) }));
  const lengthMean = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(indexed.length, 1);
  const rarity = new Map([...asked].map((word) => [word, rarityOf(word, indexed)]));
  const ranked = indexed.map(({ item, counts, length }) => {
    const lengthPenalty = 1 - LENGTH_EFFECT + (LENGTH_EFFECT * length) / Math.max(lengthMean, 1);
    const score = [...counts].reduce(
      (sum, [word, count]) =>
        sum + (rarity.get(word)! * count * (SATURATION + 1)) / (count + SATURATION * lengthPenalty),
      0,
    );
    return { item, score };
  });
  return ranked.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
}

/** Where a question is made of stop words alone, these are what is asked for. */
export function askedWordsOf(question: string): ReadonlySet<string> {
  const words = wordsOf(question);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return new Set(telling.length > 0 ? telling : words);
}

function countWords(fields: readonly Field[], asked: ReadonlySet<string>) {
  const counts = new Map<string, number>();
  let length = 0;
  for (const { text, weight } of fields)
    for (const word of wordsOf(text)) {
      length += weight;
      if (asked.has(word)) counts.set(word, (counts.get(word) ?? 0) + weight);
    }
  return { counts, length };
}

function rarityOf(word: string, indexed: readonly { counts: ReadonlyMap<string, number> }[]): number {
  const having = indexed.filter(({ counts }) => counts.has(word)).length;
  return Math.log(1 + (indexed.length - having + 0.5) / (having + 0.5));
}
