// What a message says of a result with more rows than are read: a figure is of all of them, or says of which it is.

import { describe, expect, it } from "vitest";
import { chartOption } from "../../../../../kernel/docs/draw/charts/chart-option.ts";
import { composeMail, type MailPart } from "../../../../../src/features/deliveries/render/mail/compose-mail.ts";
import { kpisOf } from "../../../../../kernel/docs/draw/kpi.ts";
import { restOf, showTable } from "../../../../../src/features/deliveries/render/mail/shown-table.ts";
import type { Cell } from "../../../../../kernel/docs/draw/result-table.ts";
import type { ColumnKind, ResultTable } from "../../../../../kernel/docs/draw/result-table.ts";

/** Columns by the place of a row. */
function longResult(rowCount: number, columns: Record<string, [ColumnKind, (row: number) => Cell]>): ResultTable {
  const all = Object.entries(columns);
  return {
    rowCount,
    columns: all.map(([name, [kind]]) => ({ name, kind })),
    cell: (row, column) => all[column]![1][1](row),
  };
}

const MILLION = longResult(1_000_000, {
  n: ["integer", (row) => row],
  one: ["integer", () => 1],
  day: ["date", (row) => (row < 600_000 ? "2026-01-01" : "2026-01-02")],
});
const FIRST = "The first 100,000 of 1,000,000 rows.";

const textOf = (part: MailPart) =>
  composeMail({ title: "T", intro: "", parts: [part], links: [], footer: "", unsubscribeUrl: null });

describe("a figure", () => {
  it("is of all rows", () => {
    const y = [{ field: "one" }, { field: "n", aggregation: "max" as const }];
    expect(kpisOf({ type: "kpi", y: [y[0]!] }, MILLION)).toMatchObject([{ value: "1,000,000", note: "" }]);
    expect(kpisOf({ type: "kpi", y: [y[1]!] }, MILLION)).toMatchObject([{ value: "999,999", note: "" }]);
  });

  it("is compared over all rows", () => {
    const [kpi] = kpisOf({ type: "kpi", y: [{ field: "one" }], compare: "previousPeriod" }, MILLION);
    expect(kpi).toMatchObject({ value: "400,000", note: "", comparison: expect.stringContaining("600,000") });
  });

  it("says at itself of which rows it is where these are not all", () => {
    const kpis = kpisOf({ type: "kpi", y: [{ field: "n", aggregation: "distinct" }] }, MILLION);
    expect(kpis).toMatchObject([{ value: "100,000", note: FIRST }]);
    const { html, text } = textOf({ kind: "kpi", title: "", kpis });
    for (const said of [html, text]) expect(said).toContain(FIRST);
    const many = kpisOf({ type: "kpi", y: Array.from({ length: 10 }, () => ({ field: "one" })) }, MILLION);
    expect(many[9]).toMatchObject({ value: "190,476", note: "The first 190,476 of 1,000,000 rows." });
  });
});

describe("a table", () => {
  it("has the first of all rows in its order", () => {
    const table = { ...MILLION, rowCount: 200_000 };
    const sorted = showTable(table, { type: "table", columns: [{ field: "n" }], sort: [{ field: "n", desc: true }] });
    expect(sorted.rows.slice(0, 2)).toEqual([["199,999"], ["199,998"]]);
    expect(restOf(sorted)).toBe("… and 199,950 more rows");
  });

  it("says which rows were sorted where these are not all", () => {
    const sort = Array.from({ length: 5 }, () => ({ field: "n", desc: true }));
    const sorted = showTable(MILLION, { type: "table", columns: [{ field: "n" }], sort });
    expect(sorted.rows[0]).toEqual(["99,999"]);
    expect(restOf(sorted)).toContain("Sorted: The first 100,000 of 1,000,000 rows.");
  });
});

describe("a pivot", () => {
  it("counts the groups and columns that it leaves out, and says which rows it is of", () => {
    const table = longResult(200_000, {
      group: ["integer", (row) => row % 3_000],
      split: ["integer", (row) => row % 40],
      n: ["integer", () => 1],
    });
    const pivot = showTable(table, {
      ...{ type: "pivot", rows: [{ field: "group" }], columns: [{ field: "split" }], values: [{ field: "n" }] },
    });
    expect(pivot).toMatchObject({ rowCount: 3_000, columnCount: 41 });
    const rest = "… and 2,950 more rows and 21 more columns. The first 100,000 of 200,000 rows.";
    const { html, text } = textOf({ kind: "table", title: "", shown: pivot });
    for (const said of [html, text]) expect(said).toContain(rest);
  });

  it("takes no group of NULL for one of that word", () => {
    const table = longResult(2, { group: ["text", (row) => (row === 0 ? null : "null")], n: ["integer", () => 1] });
    const pivot = { type: "pivot" as const, rows: [{ field: "group" }], values: [{ field: "n" }] };
    expect(showTable(table, pivot).rows).toEqual([
      [null, "1"],
      ["null", "1"],
    ]);
  });
});

describe("a calendar", () => {
  const days = (rowCount: number, first: number) =>
    longResult(rowCount, {
      day: ["date", (row) => new Date(Date.UTC(first, 0, 1 + (row % 1_826))).toISOString().slice(0, 10)],
      n: ["integer", (row) => (row % 1_826 < 1_000 ? 1_000 : 1)],
    });
  const draw = (table: ResultTable) =>
    chartOption({ type: "calendar", x: { field: "day" }, y: [{ field: "n" }] }, table, {
      ...{ width: 600, height: 320, theme: "light" },
    });

  it("has every day of the years that it shows, however little it weighs", () => {
    const { option, notes } = draw(days(1_826, 2021));
    const counts = (option["series"] as { data: unknown[] }[]).map(({ data }) => data.length);
    expect([counts, notes]).toEqual([[365, 366, 365], ["The last 3 of 5 years."]]);
  });

  it("says which rows and which years it is of", () => {
    expect(draw(days(150_000, 2021)).notes.join(" ")).toMatch(
      /^(?=.*The last 3 of \d years\.)(?=.*The first 100,000 of 150,000 rows\.)/,
    );
  });
});
