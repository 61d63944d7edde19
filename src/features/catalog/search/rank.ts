// Texts are ranked by BM25: rare words count more, repeated ones less and less, and long texts less than short ones.
// What is said in other words counts as well, and less: a synonym, what a question implies, a misspelt word.

import { editsBetween } from "../../../../kernel/text/near-names.ts";
import { stemOf, wordsOf } from "../../../../kernel/text/words.ts";
import { impliedWordsOf, synonymsOf } from "./synonyms.ts";

/** A text of something that can be found, and how much a word of it counts. */
export type Field = { text: string; weight: number };
export type Ranked<Item> = { item: Item; score: number };

/** How soon repeating a word stops to count, and how much a long text is held against it: BM25's usual choice. */
const SATURATION = 1.2;
const LENGTH_EFFECT = 0.6;

/** How much a word counts that is not the one of the question. */
const SYNONYM_EFFECT = 0.5;
const MISSPELT_EFFECT = 0.5;
const IMPLIED_EFFECT = 0.4;

/** Shorter words are not taken for misspelt ones: too many are one edit apart. */
const MISSPELT_LETTERS_MIN = 5;
/** So many words of a question are compared with all that are known, and so many are taken for each. */
const MISSPELT_WORDS_MAX = 5;
const SPELLINGS_MAX = 3;

/** Words of questions that say nothing of what is asked for. */
const STOP_WORDS = new Set(
  (
    "a about all an and any are as at be been by can could did do does each etc every find for from get give had has have " +
    "how i in into is it its list many me much my of on one or our out per please say show something tables table tell than that the " +
    "their them then there these they thing things this those to up us vs was we were what when where which who whom whose " +
    "why will with would you your"
  ).split(" "),
);

/** A word of a question: the stems that stand for it, each with how much it counts. */
type QuestionWord = { like: ReadonlyMap<string, number>; effect: number };

/** The likest to a question first; what has no word of it is left out. */
export function rank<Item>(
  items: readonly Item[],
  fieldsOf: (item: Item) => readonly Field[],
  question: string,
): Ranked<Item>[] {
  const stems = new Map<string, string>();
  const indexed = items.map((item) => ({ item, ...countStems(fieldsOf(item), stems) }));
  const lengthMean = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(indexed.length, 1);
  const words = readQuestion(question, new Set(indexed.flatMap(({ counts }) => [...counts.keys()])));
  const scored = indexed.map((one) => ({ ...one, score: 0 }));
  for (const { like, effect } of words) {
    const counted = scored.map(({ counts }) => countOf(like, counts));
    const having = counted.filter((count) => count > 0).length;
    const rarity = Math.log(1 + (scored.length - having + 0.5) / (having + 0.5));
    for (const [i, one] of scored.entries()) {
      const count = counted[i]!;
      if (count === 0) continue;
      const lengthPenalty = 1 - LENGTH_EFFECT + (LENGTH_EFFECT * one.length) / Math.max(lengthMean, 1);
      one.score += (effect * rarity * count * (SATURATION + 1)) / (count + SATURATION * lengthPenalty);
    }
  }
  return scored
    .map(({ item, score }) => ({ item, score }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

/** The stems that a question's words have. Where it is made of stop words alone, these are what is asked for. */
export function askedStemsOf(question: string): ReadonlySet<string> {
  const words = wordsOf(question);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return new Set((telling.length > 0 ? telling : words).map(stemOf));
}

function readQuestion(question: string, known: ReadonlySet<string>): QuestionWord[] {
  const asked = askedStemsOf(question);
  const implied = impliedWordsOf(question)
    .map(stemOf)
    .filter((stem) => !asked.has(stem));
  const words = [
    ...[...asked].map((stem) => ({ stem, like: withSynonyms(stem), effect: 1 })),
    ...implied.map((stem) => ({ stem, like: withSynonyms(stem), effect: IMPLIED_EFFECT })),
  ];
  const unknown = words.filter(
    ({ stem, like }) => stem.length >= MISSPELT_LETTERS_MIN && ![...like.keys()].some((one) => known.has(one)),
  );
  for (const { stem, like } of unknown.slice(0, MISSPELT_WORDS_MAX))
    for (const meant of spellingsOf(stem, known)) like.set(meant, MISSPELT_EFFECT);
  return words;
}

const withSynonyms = (stem: string): Map<string, number> =>
  new Map([[stem, 1], ...[...synonymsOf(stem)].map((synonym) => [synonym, SYNONYM_EFFECT] as const)]);

/** What a stem that nothing has may be a misspelling of. */
function spellingsOf(stem: string, known: ReadonlySet<string>): string[] {
  const near = [...known].flatMap((other) => {
    const edits = other[0] === stem[0] ? editsBetween(stem, other) : undefined;
    return edits === undefined ? [] : [{ other, edits }];
  });
  near.sort((one, other) => one.edits - other.edits);
  return near.slice(0, SPELLINGS_MAX).map(({ other }) => other);
}

const countOf = (like: ReadonlyMap<string, number>, counts: ReadonlyMap<string, number>): number =>
  [...like].reduce((sum, [stem, effect]) => sum + effect * (counts.get(stem) ?? 0), 0);

/** `stems`: those of words that have been met, for a catalog repeats its words. */
function countStems(fields: readonly Field[], stems: Map<string, string>) {
  const counts = new Map<string, number>();
  let length = 0;
  for (const { text, weight } of fields)
    for (const word of wordsOf(text)) {
      const stem = stems.get(word) ?? stemOf(word);
      stems.set(word, stem);
      length += weight;
      counts.set(stem, (counts.get(stem) ?? 0) + weight);
    }
  return { counts, length };
}
