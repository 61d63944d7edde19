import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ColumnKind } from "../../../../kernel/docs/draw/result-table.ts";
import {
  choicesOf,
  readComparedWith,
  whyNotCompared,
} from "../../../../src/console/screens/query/results/compare/compared-with.ts";
import { diffGrid, type DiffPart } from "../../../../src/console/screens/query/results/compare/diff-grid.ts";
import {
  diffRows,
  sharedColumns,
  type RowDiff,
} from "../../../../src/console/screens/query/results/compare/diff-rows.ts";
import { notesOf, summaryOf } from "../../../../src/console/screens/query/results/compare/diff-words.ts";
import type { DiffSide } from "../../../../src/console/screens/query/results/compare/row-pairs.ts";
import { runSliced } from "../../../../src/console/screens/query/results/compare/run-sliced.ts";
import type { PastRun } from "../../../../src/console/screens/query/keep/history.ts";
import type { Run } from "../../../../src/console/screens/query/run/run.ts";

type Cell = string | null;

const side = (
  names: string[],
  rows: Cell[][],
  kinds: ColumnKind[] = names.map(() => "text"),
  types = kinds,
): DiffSide => ({
  columns: names.map((name, at) => ({ name, type: types[at]! })),
  kinds,
  rowCount: rows.length,
  text: (row, column) => rows[row]![column]!,
});

function diff(before: DiffSide, after: DiffSide, key: string[] = []): RowDiff {
  const work = diffRows(before, after, key);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    expect(step.value).toBeGreaterThanOrEqual(0);
    expect(step.value).toBeLessThanOrEqual(1);
  }
}

const NAMES = ["id", "name", "n"];

describe("two results, by a key", () => {
  it("have rows that were added, removed and changed, with NULL equal to NULL alone", () => {
    const before = side(NAMES, [
      ["1", "a", "1"],
      ["2", "b", null],
      ["3", "c", "3"],
      [null, "nobody", "4"],
      ["5", null, "5"],
    ]);
    const after = side(NAMES, [
      ["2", "b", null],
      [null, "nobody", "0"],
      ["5", "", "5"],
      ["1", "a", "1"],
      ["6", "new", "6"],
    ]);
    const found = diff(before, after, ["id"]);
    expect(found).toMatchObject({
      added: [4],
      removed: [2],
      changed: [
        { before: 3, after: 1 },
        { before: 4, after: 2 },
      ],
      same: 2,
      changedIn: [0, 1, 1],
      repeatedKeys: 0,
    });
    expect(summaryOf(found)).toBe("2 changed, 1 added, 1 removed; 2 rows the same.");
    expect(notesOf(found)).toEqual(["Changed in name (1), n (1)."]);
  });

  it("pair the rows of one key in their order, equal ones first, and say that the key repeats", () => {
    const before = side(NAMES, [
      ["1", "a", "1"],
      ["1", "b", "2"],
      ["1", "c", "3"],
      ["2", "x", "9"],
    ]);
    const after = side(NAMES, [
      ["1", "c", "3"],
      ["1", "a", "7"],
      ["1", "b", "2"],
      ["1", "new", "8"],
      ["2", "x", "9"],
    ]);
    const found = diff(before, after, ["id"]);
    expect(found).toMatchObject({
      changed: [{ before: 0, after: 1 }],
      added: [3],
      removed: [],
      same: 3,
      repeatedKeys: 1,
    });
    expect(notesOf(found)[1]).toContain("The key is not unique: 1 of its values");
  });

  it("tell texts apart that run together, and a text from NULL", () => {
    const names = ["a", "b", "n"];
    const before = side(names, [
      ["1:a", "", "x"],
      ["", "1:a", "y"],
      ["-", null, "z"],
    ]);
    const after = side(names, [
      ["", "1:a", "y"],
      [null, "-", "z"],
      ["1:a", "", "x"],
    ]);
    expect(diff(before, after, ["a", "b"])).toMatchObject({ same: 2, added: [1], removed: [2], changed: [] });
  });
});

describe("two results, by whole rows", () => {
  it("are compared as often as each row stands in them", () => {
    const row = (name: string): Cell[] => [name, null, "1"];
    const before = side(NAMES, [row("a"), row("a"), row("b"), row("a")]);
    const after = side(NAMES, [row("c"), row("a"), row("b"), row("b")]);
    expect(diff(before, after)).toMatchObject({
      same: 2,
      removed: [1, 3],
      added: [0, 3],
      changed: [],
      repeatedKeys: 0,
    });
    expect(summaryOf(diff(before, before))).toBe("No difference: 4 rows in both.");
    expect(summaryOf(diff(side(NAMES, []), side(NAMES, [])))).toBe("Both have no rows.");
  });

  it("are what a multiset of rows says", () => {
    const cell = fc.constantFrom<Cell>(null, "", "1", "1:", "-");
    const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 30 });
    fc.assert(
      fc.property(rows, rows, fc.subarray(NAMES), (one, other, key) => {
        const found = diff(side(NAMES, one), side(NAMES, other), key);
        const counts = (all: Cell[][], places: number[]) =>
          places.reduce(
            (map, place) => map.set(JSON.stringify(all[place]), (map.get(JSON.stringify(all[place])) ?? 0) + 1),
            new Map<string, number>(),
          );
        // Without what was removed and changed, and with what was added and changed, one is the other.
        const goes = counts(one, [...found.removed, ...found.changed.map(({ before }) => before)]);
        const comes = counts(other, [...found.added, ...found.changed.map(({ after }) => after)]);
        const rest = counts(one, [...one.keys()]);
        for (const [row, n] of goes) rest.set(row, rest.get(row)! - n);
        for (const [row, n] of comes) rest.set(row, (rest.get(row) ?? 0) + n);
        const wanted = counts(other, [...other.keys()]);
        expect([...rest].filter(([, n]) => n !== 0).sort()).toEqual([...wanted].sort());
        expect(found.same + found.changed.length + found.removed.length).toBe(one.length);
        expect(found.same + found.changed.length + found.added.length).toBe(other.length);
        // Whatever is left of one is nowhere in what is left of the other.
        for (const row of goes.keys()) expect(comes.has(row)).toBe(false);
        for (const { before, after } of found.changed)
          for (const name of key) expect(one[before]![NAMES.indexOf(name)]).toBe(other[after]![NAMES.indexOf(name)]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("columns", () => {
  it("are found by their names, and those of one result are said", () => {
    const before = side(["id", "gone", "n"], [["1", "x", "2"]]);
    const after = side(["n", "id", "new"], [["3", "1", "y"]]);
    const found = diff(before, after, ["id"]);
    expect(found).toMatchObject({ changed: [{ before: 0, after: 0 }], onlyBefore: ["gone"], onlyAfter: ["new"] });
    expect(found.shared.map(({ name }) => name)).toEqual(["n", "id"]);
    expect(notesOf(found)).toEqual([
      "Changed in n (1).",
      "Only this result has new; not compared.",
      "Only the other has gone; not compared.",
    ]);
  });

  it("of another type have the same numbers where only the digits of zero differ", () => {
    const before = side(
      ["n", "d"],
      [
        ["10", "1.50"],
        ["0", "-0.0"],
      ],
      ["integer", "decimal"],
      ["int" as never, "decimal(9,2)" as never],
    );
    const after = side(
      ["n", "d"],
      [
        ["10.00", "1.5"],
        ["0.0", "0"],
      ],
      ["decimal", "decimal"],
      ["decimal(9,2)" as never, "decimal(9,1)" as never],
    );
    expect(diff(before, after)).toMatchObject({ same: 2, added: [], removed: [] });
    const texts = (cell: string) => side(["n"], [[cell]]);
    expect(diff(texts("1.50"), texts("1.5"))).toMatchObject({ same: 0 });
    expect(sharedColumns(before, before)[1]!.normal("1.50")).toBe("1.50");
  });
});

describe("the grid of differences", () => {
  const before = side(
    ["id", "n", "gone"],
    [
      ["1", "1", "g"],
      ["2", "2", null],
    ],
  );
  const after = side(
    ["id", "n", "new"],
    [
      ["1", "9", "x"],
      ["3", null, "y"],
    ],
  );
  const found = diff(before, after, ["id"]);
  const grid = (part: DiffPart) => diffGrid(found, { before, after }, part);
  const cells = (part: DiffPart) => {
    const source = grid(part);
    return Array.from({ length: source.rowCount }, (_, row) => source.columns.map((_, at) => source.text(row, at)));
  };

  it("shows a changed row as it was and is, then what was added, then what was removed", () => {
    expect(grid("all").columns.map(({ name }) => name)).toEqual(["Difference", "id", "n", "new", "gone"]);
    const [was, is] = [
      ["was", "1", "1", "", "g"],
      ["is", "1", "9", "x", ""],
    ];
    const [added, removed] = [
      ["added", "3", null, "y", ""],
      ["removed", "2", "2", "", null],
    ];
    expect(cells("all")).toEqual([was, is, added, removed]);
    expect(cells("changed")).toEqual([was, is]);
    expect(cells("added")).toEqual([added]);
    expect(cells("removed")).toEqual([removed]);
  });

  it("marks the cells that have changed, and no others", () => {
    const source = grid("all");
    const marks = Array.from({ length: 4 }, (_, row) => source.columns.map((_, at) => source.cellMark!(row, at)));
    expect(marks).toEqual([
      [undefined, undefined, "changed", undefined, undefined],
      [undefined, undefined, "changed", undefined, undefined],
      ["added", undefined, undefined, undefined, undefined],
      ["removed", undefined, undefined, undefined, undefined],
    ]);
  });
});

describe("a long comparison", () => {
  it("lets the page work between its slices, and ends where it is given up", async () => {
    const rows = Array.from({ length: 30_000 }, (_, i): Cell[] => [String(i), `name ${i % 7}`, String(i * 7)]);
    const progress: number[] = [];
    const { signal } = new AbortController();
    const found = await runSliced(diffRows(side(NAMES, rows), side(NAMES, rows), ["id"]), signal, (done) =>
      progress.push(done),
    );
    expect(found).toMatchObject({ same: 30_000, added: [], removed: [], changed: [] });
    expect(progress.length).toBeGreaterThan(1);
    const gone = new AbortController();
    const work = runSliced(diffRows(side(NAMES, rows), side(NAMES, rows), ["id"]), gone.signal, () =>
      gone.abort(new Error("gone")),
    );
    await expect(work).rejects.toThrow("gone");
  });
});

describe("what a result is compared with", () => {
  const run = (given: Partial<Run>): Run => ({ source: {}, rows: 3, startedAt: 0, ...given }) as Run;
  const past = (id: string, sql: string, state: PastRun["state"] = "done") => ({ id, at: 0, sql, state }) as PastRun;

  it("is the run before, another tab's, or a statement of the past that answers rows", () => {
    const tabs = [
      { id: "t1", title: "Orders", run: run({ rows: 1 }) },
      { id: "t2", title: "Empty", run: undefined },
      { id: "t3", title: "Let go", run: run({ source: undefined }) },
    ];
    const all = [
      past("p1", "select\n 1"),
      past("p2", "insert into t select 1"),
      past("p3", "select 2", "failed"),
      past("p4", "with x as (select 1) INSERT INTO t from x"),
      past("p5", 'with "update" as (select 1) from "update" -- delete'),
    ];
    const choices = choicesOf({ before: run({}), tabs, past: all, now: 60_000 });
    expect(choices.map(({ group, items }) => [group, items.map(({ value }) => value)])).toEqual([
      ["This tab", ["before"]],
      ["Other tabs", ["tab:t1"]],
      ["From the history; runs again now", ["again:p1", "again:p5"]],
    ]);
    expect(choices[2]!.items[0]!.label).toContain("select 1");
    expect(choicesOf({ before: undefined, tabs: [], past: [], now: 0 })).toEqual([]);
  });

  it("is a whole result, and one that the browser can hold beside it", () => {
    const of = (names: string[]) => side(names, [names]) as unknown as NonNullable<Run["source"]>;
    const whole = run({ state: "done", bytes: 1_000, isCut: false, source: of(["a", "b"]) });
    expect(whyNotCompared(whole, whole)).toBeUndefined();
    expect(whyNotCompared(whole, { ...whole, source: of(["b", "c"]) })).toBeUndefined();
    expect(whyNotCompared(whole, { ...whole, source: of(["c"]) })).toBe("No column has the same name in both.");
    const flaws: [Partial<Run>, string][] = [
      [{ state: "cancelled" }, "did not come to its end"],
      [{ state: "failed" }, "did not come to its end"],
      [{ source: undefined }, "did not come to its end"],
      [{ isCut: true }, "longer than what the browser keeps"],
      [{ isReleased: true, source: undefined }, "was let go"],
      [{ rows: 200_001 }, "200,001 rows and 1 KB"],
      [{ bytes: 64_000_001 }, "64 MB are compared"],
    ];
    for (const [flaw, words] of flaws) {
      const part = { ...whole, ...flaw };
      expect(whyNotCompared(whole, part)).toMatch(new RegExp(`This result .*${words}|${words}.* This result`));
      expect(whyNotCompared(part, whole)).toMatch(
        new RegExp(`The other result .*${words}|${words}.* The other result`),
      );
    }
  });

  it("is read back from its value", () => {
    expect(readComparedWith("tab:t1")).toEqual({ kind: "tab", tabId: "t1" });
    expect(readComparedWith("again:p1")).toEqual({ kind: "past", pastId: "p1" });
    expect(readComparedWith(undefined)).toEqual({ kind: "before" });
  });
});
