import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ResultColumn } from "../../../../kernel/docs/draw/result-table.ts";
import {
  aggregatesOf,
  choiceFor,
  isAskable,
  kindOf,
  type PivotChoice,
} from "../../../../src/console/screens/query/results/pivot/pivot-choice.ts";
import {
  PIVOT_COLUMNS_MAX,
  pivotGrid,
  type PivotRow,
} from "../../../../src/console/screens/query/results/pivot/pivot-grid.ts";
import { pivotSql, totalsSql } from "../../../../src/console/screens/query/results/pivot/pivot-sql.ts";

const COLUMNS: ResultColumn[] = [
  { name: "n", kind: "bigint" },
  { name: "land", kind: "text" },
  { name: "year", kind: "integer" },
  { name: "sum", kind: "decimal" },
  { name: "raw", kind: "json" },
  { name: "is", kind: "boolean" },
];
const choice = (given: Partial<PivotChoice>): PivotChoice => choiceFor(COLUMNS, given);

describe("what a pivot is made of", () => {
  it("begins with the first column that is no number, and counts rows", () => {
    expect(choiceFor(COLUMNS, undefined)).toEqual({ rows: ["land"], spread: null, value: null, aggregate: "count" });
    expect(choiceFor([{ name: "n", kind: "float" }], undefined).rows).toEqual(["n"]);
    expect(choiceFor([{ name: "raw", kind: "json" }], undefined).rows).toEqual([]);
  });

  it("keeps what was chosen as far as the result has it", () => {
    const kept = { rows: ["land", "gone"], spread: "year", value: "sum", aggregate: "avg" } as const;
    expect(choice(kept)).toEqual({ ...kept, rows: ["land"] });
    expect(choice({ ...kept, spread: "gone", value: "gone" })).toMatchObject({
      spread: null,
      value: null,
      aggregate: "count",
    });
    expect(choice({ rows: ["year"], spread: "year" }).spread).toBeNull();
    expect(choice({ rows: [], spread: "land", value: "land", aggregate: "sum" }).aggregate).toBe("count");
    expect(choice({ value: "sum" }).aggregate).toBe("sum");
    // A storage may hold anything.
    expect(choice({ rows: "land" as never, spread: 7 as never }).rows).toEqual(["land"]);
  });

  it("has the aggregates that databases have for a kind", () => {
    expect(aggregatesOf(undefined)).toEqual(["count"]);
    expect(aggregatesOf("json")).toEqual(["count"]);
    expect(aggregatesOf("boolean")).toEqual(["count", "distinct"]);
    expect(aggregatesOf("date")).toEqual(["count", "min", "max", "distinct"]);
    expect(aggregatesOf("decimal")).toEqual(["count", "sum", "avg", "min", "max", "distinct"]);
  });

  it("is asked for by rows, or by a spread column", () => {
    expect(isAskable(choice({ rows: [] }))).toBe(false);
    expect(isAskable(choice({ rows: [], spread: "land" }))).toBe(true);
  });
});

describe("the statement of a pivot", () => {
  const on = (database: Parameters<typeof pivotSql>[2]["database"]) => ({ columns: COLUMNS, database, rows: 11 });
  const SQL = "SELECT * FROM t;";

  it("groups the workspace's own one by rows and the column that is spread", () => {
    const chosen = choice({ rows: ["land"], spread: "year", value: "sum", aggregate: "sum" });
    expect(pivotSql(SQL, chosen, on("lake"))).toBe(
      'SELECT "land", "year", sum("sum") AS pivot_value FROM (\nSELECT * FROM t\n) AS result ' +
        'GROUP BY "land", "year" ORDER BY "land", "year" LIMIT 11',
    );
    expect(totalsSql(SQL, chosen, on("mysql"))).toContain("GROUP BY `land` ORDER BY `land` LIMIT 11");
  });

  it("counts rows, values, and distinct values", () => {
    const figure = (given: Partial<PivotChoice>, database: "lake" | "sqlserver") =>
      /, ([^,]*?) AS pivot_value/.exec(pivotSql(SQL, choice(given), on(database)))?.[1];
    expect(figure({}, "lake")).toBe("count(*)");
    expect(figure({ value: "raw" }, "lake")).toBe('count("raw")');
    expect(figure({ value: "land", aggregate: "distinct" }, "sqlserver")).toBe('count_big(DISTINCT "land")');
    expect(figure({ value: "land", aggregate: "max" }, "lake")).toBe('max("land")');
  });

  it("loses no digit of whole numbers where a database would", () => {
    const of = (aggregate: "sum" | "avg", database: "sqlserver" | "redshift" | "postgres") =>
      pivotSql(SQL, choice({ value: "year", aggregate }), on(database));
    expect(of("sum", "sqlserver")).toContain('SELECT TOP 11 "land", sum(CAST("year" AS decimal(38, 0)))');
    expect(of("avg", "sqlserver")).toContain('avg(1.0 * "year")');
    expect(of("avg", "redshift")).toContain('avg(1.0 * "year")');
    expect(of("avg", "postgres")).toContain('avg("year")');
  });
});

const gridOf = (rows: PivotRow[], given: Partial<PivotChoice>, totals?: PivotRow[]) => {
  const chosen = choice(given);
  return pivotGrid(
    { rows, totals },
    { choice: chosen, kindOf: (name) => kindOf(COLUMNS, name), valueTitle: "Sum of sum" },
  );
};
const cellsOf = ({ source }: ReturnType<typeof gridOf>) => [
  source.columns.map(({ name }) => name),
  ...Array.from({ length: source.rowCount }, (_, row) => source.columns.map((_, column) => source.text(row, column))),
];

describe("the grid of a pivot", () => {
  it("sets values side by side, with every digit, and tells NULL from nothing", () => {
    const rows = [
      ["NO", "10", "12345678901234567890.10"],
      ["NO", "9", null],
      [null, "9", "1"],
      ["null", "10", "2"],
      ["NO", null, "3"],
    ];
    const totals = [
      ["NO", "12345678901234567893.10"],
      [null, "1"],
      ["null", "2"],
    ];
    expect(cellsOf(gridOf(rows, { rows: ["land"], spread: "year", value: "sum" }, totals))).toEqual([
      ["land", "9", "10", "NULL", "All"],
      ["NO", null, "12345678901234567890.10", "3", "12345678901234567893.10"],
      [null, "1", "", "", "1"],
      ["null", "", "2", "", "2"],
    ]);
  });

  it("is a plain list where nothing is spread, and a line where there are no row columns", () => {
    expect(cellsOf(gridOf([["NO", "1"]], { rows: ["land"], value: "sum" }))).toEqual([
      ["land", "Sum of sum"],
      ["NO", "1"],
    ]);
    expect(
      cellsOf(
        gridOf(
          [
            ["b", "1"],
            ["a", "2"],
            ["", "3"],
            ["NULL", "4"],
            [null, "5"],
          ],
          { rows: [], spread: "land" },
        ),
      ),
    ).toEqual([
      ['""', '"NULL"', "a", "b", "NULL"],
      ["3", "4", "2", "1", "5"],
    ]);
  });

  it("says how many values of the spread column are left out", () => {
    const rows = Array.from({ length: PIVOT_COLUMNS_MAX + 5 }, (_, year) => ["NO", String(year), "1"]);
    const cut = gridOf(rows, { rows: ["land"], spread: "year", value: "sum" });
    expect(cut.notes).toEqual(["It is cut: the first 200 of 205 values of year."]);
    expect(cut.source.columns).toHaveLength(1 + PIVOT_COLUMNS_MAX);
    expect(cut.source.columns.at(-1)?.name).toBe("199");
  });

  it("has each figure where its group and its value meet", () => {
    const text = fc.option(fc.constantFrom("a", "b", "", "null", "NULL", "1", "[]"), { nil: null });
    const cells = fc.uniqueArray(fc.tuple(text, text, text), { selector: JSON.stringify, maxLength: 40 });
    fc.assert(
      fc.property(cells, (found) => {
        const rows = found.map(([land, is, at], i) => [land, is, at, String(i)]);
        const { source } = gridOf(rows, { rows: ["land", "is"], spread: "year", value: "sum" });
        const shown = new Set<string>();
        for (let row = 0; row < source.rowCount; row++)
          for (let column = 2; column < source.columns.length; column++) {
            const figure = source.text(row, column);
            if (figure === "") continue;
            const [land, is, at] = rows[Number(figure)]!;
            expect([source.text(row, 0), source.text(row, 1)]).toEqual([land, is]);
            const head = at === null ? "NULL" : at === "" || at === "NULL" ? `"${at}"` : at;
            expect(source.columns[column]!.name).toBe(head);
            shown.add(figure!);
          }
        expect(shown.size).toBe(rows.length);
      }),
    );
  });
});
