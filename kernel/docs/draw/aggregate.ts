// Sums, counts and the like of the rows of one group.

import type { AGGREGATIONS } from "../viz.ts";
import type { Cell } from "./result-table.ts";
import { numberOf } from "./formats.ts";

export type Aggregation = (typeof AGGREGATIONS)[number];

export type Aggregate = { add(cell: Cell): void; readonly value: number | null };

/** `none` shows the last row of a group. */
export const startAggregate: Record<Aggregation, () => Aggregate> = {
  none: () => folded((_, value) => value),
  sum: () => folded((sum, value) => sum + value),
  min: () => folded(Math.min),
  max: () => folded(Math.max),
  avg() {
    let [sum, count] = [0, 0];
    return {
      add(cell) {
        const value = numberOf(cell);
        if (value === undefined) return;
        sum += value;
        count++;
      },
      get value() {
        return count === 0 ? null : sum / count;
      },
    };
  },
  count() {
    let count = 0;
    return {
      add: (cell) => void (cell !== null && count++),
      get value() {
        return count;
      },
    };
  },
  distinct() {
    const seen = new Set<Cell>();
    return {
      add: (cell) => void (cell !== null && seen.add(cell)),
      get value() {
        return seen.size;
      },
    };
  },
};

function folded(fold: (before: number, value: number) => number): Aggregate {
  let result: number | null = null;
  return {
    add(cell) {
      const value = numberOf(cell);
      if (value !== undefined) result = result === null ? value : fold(result, value);
    },
    get value() {
      return result;
    },
  };
}
