import { describe, expect, it } from "vitest";
import type { Filter } from "../../../kernel/docs/dashboard.ts";
import { isFree, textWithPlaces, within } from "../../../src/console/screens/dashboards/edit/move-tiles.ts";
import {
  sentBy,
  takenBy,
  shownOf,
  toggled,
  valuesOf,
  withValues,
  wordsOf,
  type Dataset,
} from "../../../src/console/ui/dashboard/filter-values.ts";
import { resultOf } from "../../../src/console/ui/dashboard/result-of.ts";
import { blocksOf, inlineOf } from "../../../src/console/ui/dashboard/markdown-blocks.ts";

const status: Filter = { id: "status", type: "multiSelect", target: { field: "status", datasets: ["orders"] } };
const period: Filter = { id: "period", type: "dateRange", target: { field: "at" }, default: "last 90 days" };
const country: Filter = { id: "country", type: "select", target: { field: "c" }, values: ["NO", "SE"], default: "NO" };
const all = [status, period, country];
const none = new URLSearchParams();

describe("the filters of a dashboard", () => {
  it("stand in the address, and have their default where the address says nothing", () => {
    const before = valuesOf(all, none);
    expect(all.map((filter) => [shownOf(filter, before), wordsOf(filter, before)])).toEqual([
      [[], undefined],
      [[], "last 90 days"],
      [["NO"], undefined],
    ]);
    const set = withValues(withValues(none, status, ["a", "b"]), period, []);
    expect(valuesOf(all, set)).toEqual({ status: ["a", "b"], period: [], country: undefined });
  });

  it("are sent as each takes its values, and not at all where they have their default", () => {
    expect(sentBy(all, valuesOf(all, none))).toEqual({});
    const values = { status: ["it's"], period: ["2026-01-01", ""], country: ["SE"] };
    expect(sentBy(all, values)).toEqual({ status: ["it's"], period: { from: "2026-01-01", to: null }, country: "SE" });
    expect(sentBy(all, { period: [] })).toEqual({ period: null });
  });

  it("are set by a click on a value that they can have, and unset by a second", () => {
    expect(toggled(status, {}, "a")).toEqual(["a"]);
    expect(toggled(status, { status: ["a"] }, "a")).toEqual([]);
    expect(toggled(country, {}, "NO")).toEqual([]);
    expect(toggled(country, {}, "DK")).toBeUndefined();
    expect(toggled(period, {}, "2026-01-31T00:00:00")).toEqual(["2026-01-31", "2026-01-31"]);
    expect(toggled(period, {}, "January")).toBeUndefined();
  });
});

describe("what is asked for a dataset", () => {
  const idsOf = (dataset: Dataset, key = "orders") => takenBy(key, dataset, all).map(({ id }) => id);

  it("has the filters that it takes alone", () => {
    expect(idsOf({ engine: "sql" })).toEqual(["status", "period", "country"]);
    expect(idsOf({ engine: "sql" }, "other")).toEqual(["period", "country"]);
    expect([idsOf({ engine: "cube" }), idsOf({ engine: "python" })]).toEqual([[], []]);
    const parameters = { s: { type: "text", filter: "status" } };
    expect(idsOf({ engine: "sql", parameters, integrationId: "x" }, "other")).toEqual(["status"]);
  });
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
