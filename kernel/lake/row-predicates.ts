// Predicates that rows must satisfy to matter are lists of conditions: a row matters where all conditions of one list
// hold. Pure. Where it is not certain a predicate lets more rows through: a row too many costs time, one too few is a
// wrong answer.

import { PLANNED } from "./constants.ts";

/** Lists of conditions. A row matters where all conditions of at least one list hold. */
export type RowPredicate<Term> = readonly (readonly Term[])[];

/** The predicate that every row satisfies: one list without conditions. */
export const EVERY_ROW: RowPredicate<never> = [[]];

export const holdsForEveryRow = (predicate: RowPredicate<unknown>): boolean =>
  predicate.some((list) => list.length === 0);

/**
 * The predicate of rows that satisfy each of `predicates`. Where a plan can't take the result, the predicates with the
 * most lists are left out.
 */
export function allOf<Term>(predicates: readonly RowPredicate<Term>[]): RowPredicate<Term> {
  const sorted = [...predicates].sort((a, b) => a.length - b.length);
  return sorted.reduce<RowPredicate<Term>>((all, predicate) => {
    const both = all.flatMap((list) => predicate.map((more) => [...list, ...more]));
    return both.length <= PLANNED.listsMax && both.every((list) => list.length <= PLANNED.predicatesMax) ? both : all;
  }, EVERY_ROW);
}

/** The predicate of rows that satisfy at least one of `predicates`; no row satisfies an empty list. */
export function anyOf<Term>(predicates: readonly RowPredicate<Term>[]): RowPredicate<Term> {
  const lists = new Map(predicates.flat().map((list) => [JSON.stringify(list), list]));
  const distinct = [...lists.values()];
  return holdsForEveryRow(distinct) || distinct.length > PLANNED.listsMax ? EVERY_ROW : distinct;
}
