// The rows of two results are put beside each other by their keys. Pure.

import type { ColumnKind } from "../../../../../../kernel/docs/draw/result-table.ts";

/** A result as it is compared. Column names are distinct. */
export type DiffSide = {
  columns: readonly { name: string; type: string }[];
  kinds: readonly ColumnKind[];
  rowCount: number;
  text(row: number, column: number): string | null;
};

/** A column of both results, with its place in each. Cells are equal where their texts are, once made normal. */
export type SharedColumn = { name: string; before: number; after: number; normal: (text: string) => string };

/** Whoever steps looks at the clock after so many rows. */
export const STEP_ROWS = 256;

export type RowPair = { before: number; after: number };
export type RowPairs = { added: number[]; removed: number[]; changed: RowPair[]; same: number };

type Compared = {
  before: DiffSide;
  after: DiffSide;
  shared: readonly SharedColumn[];
  /** The columns by which a row is found again; all that are shared where it can't change. */
  keys: readonly SharedColumn[];
};

const NONE = -1;

export class DiffRows {
  repeatedKeys = 0;
  readonly #compared: Compared;
  readonly #ids = new Map<string, number>();
  readonly #pairs: RowPairs = { added: [], removed: [], changed: [], same: 0 };

  constructor(compared: Compared) {
    this.#compared = compared;
  }

  *compare(): Generator<number, RowPairs> {
    const { before, after } = this.#compared;
    const all = 2 * (before.rowCount + after.rowCount) || 1;
    const [ofBefore, ofAfter] = [new RowsByKey(before.rowCount), new RowsByKey(after.rowCount)];
    // From the last row on: then the rows of a key stand in their order.
    for (let row = before.rowCount - 1; row >= 0; row--) {
      ofBefore.add(this.#idOf("before", row), row);
      if (row % STEP_ROWS === 0) yield (before.rowCount - row) / all;
    }
    for (let row = after.rowCount - 1; row >= 0; row--) {
      ofAfter.add(this.#idOf("after", row), row);
      if (row % STEP_ROWS === 0) yield (before.rowCount + after.rowCount - row) / all;
    }
    for (let id = 0; id < this.#ids.size; id++) {
      yield* this.#match(ofBefore.of(id), ofAfter.of(id));
      if (id % STEP_ROWS === 0) yield 0.5 + id / this.#ids.size / 2;
    }
    const { added, removed, changed } = this.#pairs;
    for (const rows of [added, removed]) rows.sort((a, b) => a - b);
    changed.sort((a, b) => a.after - b.after);
    return this.#pairs;
  }

  /** The shared columns, by their places among these, in which two rows differ. */
  changedColumns({ before, after }: RowPair): number[] {
    const { shared } = this.#compared;
    return shared.flatMap((column, at) =>
      this.#cell("before", before, column) === this.#cell("after", after, column) ? [] : [at],
    );
  }

  /** Rows of one key. */
  *#match(before: readonly number[], after: readonly number[]): Generator<number, void> {
    const pairs = this.#pairs;
    if (before.length > 1 || after.length > 1) this.repeatedKeys++;
    const { shared, keys } = this.#compared;
    // Where the key is all of a row, rows of one key are equal.
    if (keys.length === shared.length) {
      const same = Math.min(before.length, after.length);
      pairs.same += same;
      for (const row of before.slice(same)) pairs.removed.push(row);
      for (const row of after.slice(same)) pairs.added.push(row);
      return;
    }
    const left = yield* this.#withoutEqual(before, after);
    const changed = Math.min(left.before.length, left.after.length);
    for (let i = 0; i < changed; i++) pairs.changed.push({ before: left.before[i]!, after: left.after[i]! });
    for (const row of left.before.slice(changed)) pairs.removed.push(row);
    for (const row of left.after.slice(changed)) pairs.added.push(row);
  }

  /** The rows that are not in both. */
  *#withoutEqual(before: readonly number[], after: readonly number[]) {
    const { shared } = this.#compared;
    const equal = new Map<string, number[]>();
    for (const [i, row] of before.entries()) {
      const text = this.#textOf("before", row, shared);
      const known = equal.get(text);
      if (known) known.push(row);
      else equal.set(text, [row]);
      if (i % STEP_ROWS === STEP_ROWS - 1) yield 0.5;
    }
    const left: number[] = [];
    for (const [i, row] of after.entries()) {
      if (equal.get(this.#textOf("after", row, shared))?.pop() === undefined) left.push(row);
      else this.#pairs.same++;
      if (i % STEP_ROWS === STEP_ROWS - 1) yield 0.5;
    }
    return { before: [...equal.values()].flat().sort((a, b) => a - b), after: left };
  }

  #idOf(side: "before" | "after", row: number): number {
    const text = this.#textOf(side, row, this.#compared.keys);
    let id = this.#ids.get(text);
    if (id === undefined) this.#ids.set(text, (id = this.#ids.size));
    return id;
  }

  /** One text for some cells, from which each can be told: a cell's length stands before it, and NULL has none. */
  #textOf(side: "before" | "after", row: number, columns: readonly SharedColumn[]): string {
    let text = "";
    for (const column of columns) {
      const cell = this.#cell(side, row, column);
      text += cell === null ? "-" : `${cell.length}:${cell}`;
    }
    return text;
  }

  #cell(side: "before" | "after", row: number, column: SharedColumn): string | null {
    const text = this.#compared[side].text(row, column[side]);
    return text === null ? null : column.normal(text);
  }
}

/** Rows in lists by their key's number, which take two numbers a row. */
class RowsByKey {
  readonly #next: Int32Array;
  readonly #first: number[] = [];

  constructor(rows: number) {
    this.#next = new Int32Array(rows);
  }

  /** Adds a row before those of its key. */
  add(id: number, row: number): void {
    this.#next[row] = this.#first[id] ?? NONE;
    this.#first[id] = row;
  }

  of(id: number): number[] {
    const rows: number[] = [];
    for (let row = this.#first[id] ?? NONE; row !== NONE; row = this.#next[row]!) rows.push(row);
    return rows;
  }
}
