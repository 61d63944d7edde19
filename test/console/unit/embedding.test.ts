import { describe, expect, it } from "vitest";
import { readFragment, readMessage } from "../../../src/console/embed/options.ts";
import { readerFilters, sentParameters } from "../../../src/console/embed/reader-filters.ts";
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
  const parameter = (type: "integer" | "text" | "date", list = false) => ({ type, list, nullable: false });
  const country = { id: "country", label: "Country", values: ["NO"], target: { field: "country" } };
  const orders = { answers: true, parameters: { country: parameter("text", true), least: parameter("integer") } };

  it("are the open parameters, with the words of the doc's filter of that name", () => {
    const closed = { id: "closed", target: { field: "x" } };
    expect(readerFilters({ filters: [country, closed], datasets: { orders } })).toEqual([
      country,
      { id: "least", type: "number", target: { field: "least" } },
    ]);
  });

  it("are sent to the datasets that take them", () => {
    expect(sentParameters(orders, { country: ["NO", "SE"], least: ["5"], other: ["x"] })).toEqual({
      country: ["NO", "SE"],
      least: "5",
    });
    expect(sentParameters(orders, { country: [] })).toEqual({});
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
