// Two results compared row by row: what was added, removed and changed. NULL equals NULL, and nothing else. Pure.

import type { ColumnKind } from "../../../../../../kernel/docs/draw/result-table.ts";
import { DiffRows, STEP_ROWS, type DiffSide, type RowPairs, type SharedColumn } from "./row-pairs.ts";

/** Rows by their numbers, those that are removed in the result before, the others in the present one. */
export type RowDiff = RowPairs & {
  shared: readonly SharedColumn[];
  /** How many rows have changed in each shared column. */
  changedIn: readonly number[];
  onlyBefore: readonly string[];
  onlyAfter: readonly string[];
  /** Keys that more than one row of a result has: their rows are paired in their order, equal ones first. */
  repeatedKeys: number;
};

const EXACT: ReadonlySet<ColumnKind> = new Set<ColumnKind>(["integer", "bigint", "decimal"]);
const asItIs = (text: string): string => text;
/** Zeros behind a point tell nothing: two types may write one number with more of them or fewer. */
const withoutZeros = (text: string): string =>
  text.includes(".") ? text.replace(/\.?0+$/, "").replace(/^-0$/, "0") : text;

export function sharedColumns(before: DiffSide, after: DiffSide): SharedColumn[] {
  const places = new Map(before.columns.map(({ name }, at) => [name, at]));
  return after.columns.flatMap(({ name, type }, at) => {
    const other = places.get(name);
    if (other === undefined) return [];
    const isOther =
      before.columns[other]!.type !== type && EXACT.has(before.kinds[other]!) && EXACT.has(after.kinds[at]!);
    return [{ name, before: other, after: at, normal: isOther ? withoutZeros : asItIs }];
  });
}

/**
 * By the key columns a row is found again, and may have changed; without any a row is the same or another one. Each
 * step answers how much is done, between 0 and 1.
 */
export function* diffRows(before: DiffSide, after: DiffSide, key: readonly string[]): Generator<number, RowDiff> {
  const shared = sharedColumns(before, after);
  const keys = shared.filter(({ name }) => key.includes(name));
  const rows = new DiffRows({ before, after, shared, keys: keys.length > 0 ? keys : shared });
  const pairs = yield* rows.compare();
  const changedIn = shared.map(() => 0);
  for (const [i, row] of pairs.changed.entries()) {
    for (const column of rows.changedColumns(row)) changedIn[column]!++;
    if (i % STEP_ROWS === 0) yield 1;
  }
  const names = new Set(shared.map(({ name }) => name));
  const others = ({ columns }: DiffSide) => columns.map(({ name }) => name).filter((name) => !names.has(name));
  return {
    ...pairs,
    shared,
    changedIn,
    onlyBefore: others(before),
    onlyAfter: others(after),
    repeatedKeys: keys.length > 0 ? rows.repeatedKeys : 0,
  };
}
