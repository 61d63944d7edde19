import { describe, expect, it } from "vitest";
import type { Cell, ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import { withNamedValues } from "../../../../src/console/screens/explore/result/named-values.ts";
import {
  gridOf,
  PIVOT_BOUNDS,
  pivoted,
  shownColumns,
  tableOf,
} from "../../../../src/console/screens/explore/result/shown-columns.ts";
import { membersOf } from "../../../../src/console/screens/explore/state/members.ts";

const members = membersOf([
  {
    name: "o",
    measures: [
      { name: "o.n", title: "Count", type: "number" },
      { name: "o.sum", title: "Sum", type: "number", format: "currency" },
      { name: "o.last", title: "Last", type: "string" },
    ],
    dimensions: [
      { name: "o.land", title: "Land", type: "string" },
      { name: "o.at", title: "At", type: "time" },
    ],
  },
]);

const tableOfRows = (rows: Cell[][]): ResultTable => ({
  columns: [
    { name: "o.land", kind: "text" },
    { name: "o.at.month", kind: "timestamp" },
    { name: "o.at", kind: "timestamp" },
    { name: "o.n", kind: "bigint" },
    { name: "o.sum", kind: "decimal" },
    { name: "o.last", kind: "text" },
  ],
  rowCount: rows.length,
  cell: (row, column) => rows[row]![column]!,
});
const month = (at: number) => `2026-0${at}-01T00:00:00.000`;
const table = tableOfRows([
  ["NO", month(1), month(1), 1n, "1.50", "x"],
  ["NO", month(2), month(2), 2n, "1234567.891", "y"],
  [null, month(1), month(1), 3n, null, "z"],
]);
const columns = shownColumns(table, members);

describe("the rows of an answer", () => {
  it("show a time once, titles for names, and values in the model's formats", () => {
    expect(columns.map(({ title, format }) => [title, format])).toEqual([
      ["Land", undefined],
      ["At (month)", "date"],
      ["Count", undefined],
      ["Sum", "currency"],
      ["Last", undefined],
    ]);
    const source = {
      columns: table.columns.map(({ name }) => ({ name, type: "T", isNumber: false })),
      rowCount: table.rowCount,
      text: (row: number, column: number) => {
        const cell = table.cell(row, column);
        return cell === null ? null : String(cell);
      },
    };
    const grid = gridOf(source, columns);
    expect([0, 1, 2, 3].map((column) => grid.text(1, column))).toEqual(["NO", "2026-02-01", "2", "$1,234,567.89"]);
    expect(grid.text(2, 0)).toBeNull();
  });

  it("are the shown columns alone in a chart", () => {
    const drawn = tableOf(table, columns);
    expect(drawn.columns.map(({ name }) => name)).toEqual(["o.land", "o.at.month", "o.n", "o.sum", "o.last"]);
    expect(drawn.cell(1, 2)).toBe(2n);
  });
});

describe("a pivot of an answer", () => {
  const textsOf = ({ grid }: ReturnType<typeof pivoted>) => [
    grid.columns.map(({ name }) => name),
    ...Array.from({ length: grid.rowCount }, (_, row) => grid.columns.map((_column, at) => grid.text(row, at))),
  ];

  it("has each measure once for every value of the dimensions that go to columns", () => {
    const [land, at, n] = columns;
    const found = pivoted(table, [land!, at!, n!], ["o.at.month"]);
    expect(textsOf(found)).toEqual([
      ["Land", "2026-01-01", "2026-02-01"],
      ["NO", "1", "2"],
      [null, "3", null],
    ]);
    expect(found.notes).toEqual([]);
  });

  it("has one row where every dimension goes to columns", () => {
    const found = pivoted(table, columns.slice(0, 3), ["o.land", "o.at.month"]);
    expect(textsOf(found)).toEqual([
      ["NO · 2026-01-01", "NO · 2026-02-01", "(none) · 2026-01-01"],
      ["1", "2", "3"],
    ]);
  });

  it("leaves out measures that are no numbers, and says so", () =>
    expect(pivoted(table, columns, []).notes).toEqual(["Last is no number, and is left out."]));

  it("is bounded, and says what it leaves out", () => {
    const wide = tableOfRows(
      Array.from({ length: PIVOT_BOUNDS.splitsMax + 2 }, (_, at) => [String(at), month(1), month(1), 1n, "1", "x"]),
    );
    const found = pivoted(wide, columns.slice(0, 3), ["o.land"]);
    expect(found.grid.columns).toHaveLength(PIVOT_BOUNDS.splitsMax + 1);
    expect(found.notes).toEqual(["It is cut: the first 501 of 503 columns."]);
  });
});

describe("a statement whose values are bound by place", () => {
  it("has names for them, but for what stands in quotes and comments", () => {
    const { sql, values } = withNamedValues("SELECT '?', \"a?b\" -- ?\nFROM t /* ? */ WHERE a = ? AND b IN (?, ?)", [
      "x",
      7,
      null,
    ]);
    expect(sql).toBe("SELECT '?', \"a?b\" -- ?\nFROM t /* ? */ WHERE a = $value_1 AND b IN ($value_2, $value_3)");
    expect(values).toEqual({
      value_1: { type: "text", text: "x" },
      value_2: { type: "integer", text: "7" },
      value_3: { type: "text", text: "", isNull: true },
    });
  });

  it("keeps PostgreSQL's numbers, wherever they stand", () =>
    expect(withNamedValues("SELECT $2, $1, $2", ["a", true])).toEqual({
      sql: "SELECT $value_2, $value_1, $value_2",
      values: { value_1: { type: "text", text: "a" }, value_2: { type: "boolean", text: "true" } },
    }));
});
