// What rows must satisfy to matter, as lists of conditions: a row matters where all conditions of one list hold. Pure.
// In doubt less is demanded: a row too many costs time, one too few is a lie.

import { PLANNED } from "../../contract/lake.ts";

export type Demand<Term> = readonly (readonly Term[])[];

/** What every row satisfies. */
export const NOTHING: Demand<never> = [[]];

export const isNothing = (demand: Demand<unknown>): boolean => demand.some((list) => list.length === 0);

/**
 * Of rows that satisfy each of `demands`. Of demands that are too much together, those with more lists are left out.
 */
export function allOf<Term>(demands: readonly Demand<Term>[]): Demand<Term> {
  const sorted = [...demands].sort((a, b) => a.length - b.length);
  return sorted.reduce<Demand<Term>>((all, demand) => {
    const both = all.flatMap((list) => demand.map((more) => [...list, ...more]));
    return both.length <= PLANNED.listsMax && both.every((list) => list.length <= PLANNED.predicatesMax) ? both : all;
  }, NOTHING);
}

/** Of rows that satisfy one of `demands`; none where there is none. */
export function anyOf<Term>(demands: readonly Demand<Term>[]): Demand<Term> {
  const lists = new Map(demands.flat().map((list) => [JSON.stringify(list), list]));
  const distinct = [...lists.values()];
  return isNothing(distinct) || distinct.length > PLANNED.listsMax ? NOTHING : distinct;
}
