import { describe, expect, it } from "vitest";
import type { Filter } from "../../../kernel/docs/dashboard.ts";
import { requestOf } from "../../../src/console/screens/dashboards/dataset-request.ts";
import { isFree, textWithPlaces, within } from "../../../src/console/screens/dashboards/edit/move-tiles.ts";
import { rangeOf, valuesOf, withValues } from "../../../src/console/screens/dashboards/filter-values.ts";
import { resultOf } from "../../../src/console/screens/dashboards/result-of.ts";
import { blocksOf, inlineOf } from "../../../src/console/screens/dashboards/tiles/markdown-blocks.ts";

const today = new Date("2026-11-28T12:00:00Z");
const status: Filter = { id: "status", type: "multiSelect", target: { field: "status", datasets: ["orders"] } };
const period: Filter = { id: "period", type: "dateRange", target: { field: "at" }, default: "last 90 days" };

describe("the filters of a dashboard", () => {
  it("stand in the address, and by default where the address says nothing", () => {
    const none = new URLSearchParams();
    expect(valuesOf([status, period], none, today)).toEqual({ status: [], period: ["2026-08-30", "2026-11-28"] });
    const set = withValues(withValues(none, status, ["a", "b"]), period, []);
    expect(valuesOf([status, period], set, today)).toEqual({ status: ["a", "b"], period: [] });
  });

  it.each([
    ["today", ["2026-11-28", "2026-11-28"]],
    ["last month", ["2026-10-28", "2026-11-28"]],
    ["Last 2 weeks", ["2026-11-14", "2026-11-28"]],
    ["whenever", undefined],
  ])("read %s", (text, range) => expect(rangeOf(text, today)).toEqual(range));
});

describe("what is asked for a dataset", () => {
  const sql = { engine: "sql", sql: "SELECT * FROM t -- all\n;" } as const;

  it("is its own text where no filter is set", () =>
    expect(requestOf("orders", sql, [status], { status: [] })).toEqual({ sql: sql.sql }));

  it("binds the values of filters and pastes none", () => {
    const asked = requestOf("orders", sql, [status], { status: ["it's", "b"] })!;
    expect(asked["parameters"]).toEqual({ filter_0_0: "it's", filter_0_1: "b" });
    expect(asked["sql"]).toContain('WHERE (CAST("status" AS VARCHAR) = $filter_0_0 OR');
    expect(asked["sql"]).not.toContain("it's");
    expect(asked["sql"]).toContain("SELECT * FROM t -- all\n\n)");
  });

  it("leaves out filters of other datasets", () =>
    expect(requestOf("other", sql, [status], { status: ["a"] })).toEqual({ sql: sql.sql }));

  it("gives a parameter of the filter's name its value", () => {
    const dataset = { ...sql, parameters: { status: { type: "text", value: "x" } } } as const;
    expect(requestOf("orders", dataset, [status], { status: ["a"] })!["parameters"]).toEqual({
      status: { type: "text", value: "a" },
    });
  });

  it("adds filters to a cube query", () => {
    const filter: Filter = { id: "c", target: { dimension: "customers.country" } };
    const asked = requestOf("a", { engine: "cube", measures: ["orders.count"] }, [filter], { c: ["NO"] });
    expect(asked).toEqual({
      cube_query: {
        measures: ["orders.count"],
        filters: [{ member: "customers.country", operator: "equals", values: ["NO"] }],
      },
    });
  });

  it("is nothing for code", () => expect(requestOf("a", { engine: "python" }, [], {})).toBeUndefined());
});

describe("an answer", () => {
  it("keeps whole numbers and decimals exact", () => {
    const types = [
      { name: "n", kind: "bigint" },
      { name: "d", kind: "decimal" },
    ];
    const table = resultOf({ columns: types, rows: [{ n: "9007199254740993", d: "1.10" }] });
    expect(table.cell(0, 0)).toBe(9_007_199_254_740_993n);
    expect(table.cell(0, 1)).toBe("1.10");
  });
});

describe("tiles that are moved", () => {
  const tile = { type: "markdown", content: "" } as const;
  const tiles = [
    { id: "a", x: 0, y: 0, w: 4, h: 2, ...tile },
    { id: "b", x: 4, y: 0, w: 4, h: 2, ...tile },
  ];

  it("stay within the grid, and never overlap", () => {
    expect(within({ x: 34, y: -1, w: 4, h: 0 }, 36)).toEqual({ x: 32, y: 0, w: 4, h: 1 });
    expect(isFree(tiles, "a", { x: 3, y: 0, w: 2, h: 2 })).toBe(false);
    expect(isFree(tiles, "a", { x: 8, y: 0, w: 4, h: 2 })).toBe(true);
  });

  it("change their places in the text, and nothing else", () => {
    const text = "# kept\nlayout:\n  tiles:\n    - {id: a, x: 0, y: 0, w: 4, h: 2, type: markdown, content: hi}\n";
    expect(textWithPlaces(text, [{ ...tiles[0]!, x: 8 }])).toBe(
      "# kept\nlayout:\n  tiles:\n    - { id: a, x: 8, y: 0, w: 4, h: 2, type: markdown, content: hi }\n",
    );
  });
});

describe("markdown", () => {
  it("is read into blocks", () =>
    expect(blocksOf("# A\n\none\ntwo\n- x\n- y\n```\n<b>\n```").map(({ kind, lines }) => [kind, ...lines])).toEqual([
      ["heading", "A"],
      ["paragraph", "one", "two"],
      ["list", "x", "y"],
      ["code", "<b>"],
    ]));

  it("keeps markup as text, and leads to https alone", () => {
    expect(inlineOf("<img src=x> **b** [l](https://a.example)")).toEqual([
      { kind: "text", text: "<img src=x> " },
      { kind: "bold", text: "b" },
      { kind: "text", text: " " },
      { kind: "link", text: "l", href: "https://a.example" },
    ]);
    expect(inlineOf("[l](javascript:alert(1))")).toEqual([{ kind: "text", text: "[l](javascript:alert(1))" }]);
  });
});
