// Rows set side by side: rows with the same cells are one group, and a group has one total for each split.

import type { Cell } from "./result-table.ts";

/** A row's part in a spread. `split` names the columns that it adds to; it is empty where all add to the same. */
export type SpreadRow = { cells: readonly Cell[]; split: readonly (string | null)[] };

export type Group<Total> = { cells: readonly Cell[]; totals: Map<string, Total> };

/** Totals go by the keys of `splits`. `groupCount` and `splitCount` are of all, of which a part is kept. */
export type Spread<Total> = {
  groups: Group<Total>[];
  splits: Map<string, readonly (string | null)[]>;
  groupCount: number;
  splitCount: number;
};

export type SpreadBounds = { groupsMax: number; splitsMax: number };

type Spreading<Total> = {
  rowCount: number;
  rowAt(row: number): SpreadRow;
  /** The total of a group and a split with one more row of theirs. */
  add(total: Total | undefined, row: number): Total;
};

/** Groups and splits stand in the order of their first rows, of which the first ones are kept. */
export function spreadRows<Total>(
  { rowCount, rowAt, add }: Spreading<Total>,
  { groupsMax, splitsMax }: SpreadBounds,
): Spread<Total> {
  const groups = new Map<string, Group<Total>>();
  const splits = new Map<string, readonly (string | null)[]>();
  const left = { groups: new Set<string>(), splits: new Set<string>() };
  for (let row = 0; row < rowCount; row++) {
    const { cells, split } = rowAt(row);
    // NULL is no text of that name.
    const key = JSON.stringify(cells.map((cell) => (cell === null ? null : String(cell))));
    let group = groups.get(key);
    if (!group && groups.size >= groupsMax) left.groups.add(key);
    else if (!group) groups.set(key, (group = { cells, totals: new Map() }));
    const splitKey = JSON.stringify(split);
    if (!splits.has(splitKey) && splits.size >= splitsMax) left.splits.add(splitKey);
    else splits.set(splitKey, split);
    if (group && splits.has(splitKey)) group.totals.set(splitKey, add(group.totals.get(splitKey), row));
  }
  return {
    groups: [...groups.values()],
    splits,
    groupCount: groups.size + left.groups.size,
    splitCount: splits.size + left.splits.size,
  };
}
