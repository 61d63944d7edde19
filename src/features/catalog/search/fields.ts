// The texts by which saved queries and terms are found, and how much a word of each counts.

import type { SavedQuery } from "../../saved-queries/saved-query.ts";
import type { TermContent } from "../../glossary/term.ts";
import type { Field } from "./rank.ts";

export const WEIGHTS = { name: 3, title: 3, tag: 2, description: 1, column: 1 };

const named = (texts: readonly string[]): Field[] => texts.map((text) => ({ text, weight: WEIGHTS.name }));
const described = (text: string | null): Field => ({ text: text ?? "", weight: WEIGHTS.description });

/** A query is found by the questions that it answers as by its name. */
export const fieldsOfQuery = (query: Pick<SavedQuery, "name" | "questions" | "tags" | "description">): Field[] => [
  ...named([query.name, ...query.questions]),
  ...query.tags.map((text) => ({ text, weight: WEIGHTS.tag })),
  described(query.description),
];

export const fieldsOfTerm = ({ term, synonyms, definition }: Omit<TermContent, "links">): Field[] => [
  ...named([term, ...synonyms]),
  described(definition),
];
