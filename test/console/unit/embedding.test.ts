import { describe, expect, it } from "vitest";
import type { Filter } from "../../../kernel/docs/dashboard.ts";
import { readFragment, readMessage } from "../../../src/console/embed/options.ts";
import { readerFilters, sentFor } from "../../../src/console/embed/reader-filters.ts";
import { embeddingSnippet } from "../../../src/console/screens/dashboards/publish/snippet.ts";
import { frameData, readFrameMessage } from "../../../src/console/ui/dashboard/frame-messages.ts";

describe("the options of a dashboard within another page", () => {
  it("stand in the fragment", () =>
    expect(readFragment("#token=a.b-1.c_2&theme=dark&refresh=60")).toEqual({
      token: "a.b-1.c_2",
      theme: "dark",
      refresh: 60,
    }));

  it.each([
    ["", {}],
    ["#token=abc&theme=pink&refresh=often&other=1", {}],
    ["#refresh=", {}],
    ["#refresh=0", { refresh: 0 }],
    ["#refresh=1", { refresh: 10 }],
    ["#refresh=1e9", { refresh: 86_400 }],
    ["#refresh=-5", {}],
  ])("are left out where they are none: %s", (fragment, options) => expect(readFragment(fragment)).toEqual(options));

  it("come by messages of one type alone", () => {
    expect(readMessage({ type: "fjord:set", theme: "light", token: 5 })).toEqual({ theme: "light" });
    for (const other of [undefined, null, "x", 1, {}, { type: "set", theme: "light" }])
      expect(readMessage(other)).toBeUndefined();
  });
});

describe("the filters of a reader", () => {
  const parameter = (type: "integer" | "text", list = false) => ({ type, list, nullable: false });
  const filters: Filter[] = [{ id: "country", label: "Country", values: ["NO"], target: { field: "country" } }];
  const orders = { answers: true, parameters: { country: parameter("text", true), least: parameter("integer") } };
  const definition = {
    ...{ success: true as const, name: "orders", title: "Orders", version: 1, pages: {}, layout: { tiles: [] } },
    filters,
    datasets: { orders, others: { answers: true, parameters: {} } },
  };

  it("are those of the dashboard, and its open parameters", () => {
    expect(readerFilters(definition)).toEqual([
      ...filters,
      { id: "$country", label: "country", type: "text", target: { field: "country" } },
      { id: "$least", label: "least", type: "number", target: { field: "least" } },
    ]);
  });

  it("are sent to the datasets that take them", () => {
    const values = { country: ["NO"], $country: ["SE"], $least: ["5"] };
    expect(sentFor(definition, "orders", values)).toEqual({
      filters: { country: ["NO"] },
      parameters: { country: ["SE"], least: "5" },
    });
    expect(sentFor(definition, "others", values)).toEqual({ filters: { country: ["NO"] }, parameters: {} });
    expect(sentFor(definition, "orders", {})).toEqual({ filters: {}, parameters: {} });
  });
});

describe("the messages of a tile's page", () => {
  it("ask for a height within its bounds, and for nothing else", () => {
    expect(readFrameMessage({ type: "ready", html: "x" })).toEqual({ isReady: true });
    expect(readFrameMessage({ type: "height", pixels: 120.2 })).toEqual({ height: 121 });
    expect(readFrameMessage({ type: "height", pixels: 1e9 })).toEqual({ height: 4_000 });
    expect(readFrameMessage({ type: "height", pixels: -1 })).toEqual({ height: 40 });
    for (const other of [
      ...[null, "ready", 5, [], { type: "page", html: "x" }, { type: "fjord:set", token: "a.b.c" }],
      ...["1", Number.NaN, Number.POSITIVE_INFINITY, null].map((pixels) => ({ type: "height", pixels })),
    ])
      expect(readFrameMessage(other)).toBeUndefined();
  });

  it("are answered with rows as they are", () => {
    const columns = [{ name: "n", kind: "bigint" as const }];
    expect(frameData({ columns, rowCount: 1, cell: () => 9_007_199_254_740_993n })).toEqual({
      columns,
      rows: [[9_007_199_254_740_993n]],
    });
  });
});

it("is shown by a page that holds no secret", () => {
  const text = embeddingSnippet({ name: "orders", path: "/v1/dashboards/t/orders" }, "https://fjord.example");
  expect(text).toContain('src="https://fjord.example/embed/dashboards/t/orders#theme=auto"');
  expect(text).toContain('origin !== "https://fjord.example"');
});
