// Charts drawn in workerd: every kind of them, as SVG and as PNG, from data that nobody vouches for.

import { describe, expect, it } from "vitest";
import { DRAW_BOUNDS } from "../../../../../kernel/docs/draw/bounds.ts";
import { type Chart, CHART_TYPES } from "../../../../../kernel/docs/draw/charts/chart-context.ts";
import { chartOption } from "../../../../../kernel/docs/draw/charts/chart-option.ts";
import { drawChart } from "../../../../../src/features/deliveries/render/charts/draw-chart.ts";
import { toPng } from "../../../../../src/features/deliveries/render/pictures/to-png.ts";
import { aResult } from "../../../../support/unit/deliveries/a-result.ts";

const HOSTILE = [
  '<script>alert("1")</script>',
  "]]><svg onload=alert(1)>",
  "a & b &amp; c",
  "{a|{b}} {c} {@[0]} {value}",
  "\u0000\u0008\ud800\ufffe",
  "</text></svg><img src=x onerror=alert(1)>",
  "__proto__",
  "a\n__proto__",
  "constructor",
];
const SIZE = { width: 600, height: 320 };

const sales = aResult(
  { day: "date", name: "text", split: "text", amount: "decimal", n: "bigint" },
  HOSTILE.flatMap((name, i) =>
    HOSTILE.map((split, j) => [
      `2026-01-${String(i + 1).padStart(2, "0")}`,
      name,
      split,
      `${(i + 1) * (j + 2)}.5`,
      BigInt(j + 1),
    ]),
  ),
);
const y = [{ field: "amount", label: "<b>&]]>", format: "currency" as const }];
const axes = { x: { field: "name", label: "</text>" }, color: { field: "split" }, y };
const VIZES: { [Type in Chart["type"]]: Extract<Chart, { type: Type }> } = {
  line: { type: "line", ...axes, reference: [{ y: 20, label: "<i>" }], compare: { field: "n", label: "<u>" } },
  area: { type: "area", ...axes, x: { field: "day", type: "time" }, stack: "percent" },
  bar: { type: "bar", ...axes, orientation: "horizontal", stack: "normal" },
  scatter: { type: "scatter", ...axes, size: { field: "n" } },
  pie: { type: "pie", x: axes.x, y, legend: true },
  heatmap: { type: "heatmap", ...axes, scale: "piecewise" },
  calendar: { type: "calendar", x: { field: "day" }, y },
};

/** Tags that are no drawing: one that the data made, with an attribute that acts, or not well-formed. */
const strangeTags = (svg: string): string[] =>
  (svg.replace(/<style ><!\[CDATA\[[^<]*?]]>\s*<\/style>/g, "").match(/<[^>]*>?/g) ?? []).filter(
    (tag) => !DRAWING.test(tag) || ACTING.test(tag),
  );
const DRAWING =
  /^<\/?(svg|rect|g|path|text|defs|clipPath|linearGradient|stop|circle|polyline|polygon|tspan)( [\w:-]+="[^"<&]*")* ?\/?>$/;
const ACTING = / (on\w+|href|xlink:href|src)=/;

describe.each(CHART_TYPES)("a %s", (type) => {
  it("makes no markup of what the data says, in light and in dark", async () => {
    for (const theme of ["light", "dark"] as const) {
      const { svg } = await drawChart(VIZES[type], sales, { ...SIZE, theme });
      expect(strangeTags(svg)).toEqual([]);
      expect(svg.match(/]]>/g)?.length ?? 0).toBe(svg.match(/<!\[CDATA\[/g)?.length ?? 0);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML has no place for
      expect(svg).not.toMatch(/[\u0000-\u0008\ufffe]/);
    }
  });

  it("leaves the objects of the isolate alone, whatever a text is called", async () => {
    await drawChart(VIZES[type], sales, { ...SIZE, theme: "light" });
    const inherited: string[] = [];
    for (const name in {}) inherited.push(name);
    expect(inherited).toEqual([]);
    expect(Object.keys(Object)).toEqual([]);
  });

  it("becomes a PNG of twice its size", async () => {
    const { svg } = await drawChart(VIZES[type], sales, { ...SIZE, theme: "light" });
    const png = await toPng(svg);
    const header = new DataView(png.buffer, png.byteOffset);
    expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
    expect([header.getUint32(16), header.getUint32(20)]).toEqual([1200, 640]);
    // An empty picture compresses to a few kilobytes.
    expect(png.length).toBeGreaterThan(8_000);
  });

  it("covers its whole ground, so that nothing behind it shows", async () => {
    const { svg } = await drawChart(VIZES[type], sales, { ...SIZE, theme: "light" });
    expect(svg).toMatch(/^<svg [^>]*>\s*<rect width="600" height="320" x="0" y="0" fill="#ffffff"><\/rect>/);
  });

  it("says that there are no rows", async () => {
    const { svg } = await drawChart(VIZES[type], aResult({ day: "date", name: "text" }, []), {
      ...SIZE,
      theme: "dark",
    });
    expect(svg).toContain("No rows");
  });

  it("is drawn where columns are missing, NULL, or no numbers", async () => {
    const odd = aResult({ name: "text", amount: "text", n: "float" }, [
      [null, "x", NaN],
      ["a", null, Infinity],
      ["a", "", -1],
    ]);
    expect((await drawChart(VIZES[type], odd, { ...SIZE, theme: "light" })).svg).toMatch(/^<svg /);
  });

  it("leaves out what is too much, and says so", async () => {
    const row = (i: number) => [
      new Date(Date.UTC(1900, 0, 1) + i * 86_400_000).toISOString().slice(0, 10),
      `g${i}`,
      `s${i % 700}`,
      String(i),
      BigInt(i),
    ];
    const many = { ...sales, rowCount: 200_000, cell: (at: number, column: number) => row(at)[column]! };
    const { option, notes } = chartOption(VIZES[type], many, { ...SIZE, theme: "light" });
    const points = (option["series"] as { data: unknown[] }[]).reduce((sum, { data }) => sum + data.length, 0);
    expect(points).toBeLessThanOrEqual(DRAW_BOUNDS.chartPointsMax + DRAW_BOUNDS.chartSeriesMax);
    expect(notes.join(" ")).toMatch(/\d/);
    expect((option["title"] as { text: string }).text).toBe(notes.join(" "));
  });
});

describe("the values of a chart", () => {
  const rows = aResult({ month: "timestamp", kind: "text", amount: "decimal" }, [
    ["2026-02-01T00:00:00", "b", "4.50"],
    ["2026-01-01T00:00:00", "a", "1.25"],
    ["2026-01-01T00:00:00", "a", "2"],
    ["2026-02-01T00:00:00", "c", "0.5"],
    ["2026-02-01T00:00:00", null, null],
  ]);
  const seriesOf = (viz: Chart) =>
    (chartOption(viz, rows, { ...SIZE, theme: "light" }).option["series"] as { name: string; data: unknown[] }[]).map(
      ({ name, data }) => ({ name, data }),
    );
  const [january, february] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1)];

  it.each([
    ["sum", 3.25, 5],
    ["avg", 1.625, 2.5],
    ["count", 2, 2],
    ["distinct", 2, 2],
    ["min", 1.25, 0.5],
    ["max", 2, 4.5],
  ] as const)("are the %s of each group, in the order of time", (aggregation, first, second) => {
    const viz: Chart = { type: "line", x: { field: "month" }, y: [{ field: "amount", aggregation }] };
    expect(seriesOf(viz)).toEqual([
      {
        name: "amount",
        data: [
          [january, first],
          [february, second],
        ],
      },
    ]);
  });

  it("are split by the colour, and what a limit leaves out is Other", () => {
    const viz: Chart = {
      type: "bar",
      x: { field: "month", format: "date" },
      y: [{ field: "amount" }],
      color: { field: "kind", limit: 2 },
    };
    expect(seriesOf(viz)).toEqual([
      { name: "b", data: [null, 4.5] },
      { name: "a", data: [3.25, null] },
      { name: "Other", data: [null, 0.5] },
    ]);
  });

  it("are shares where the stack is of percents", () => {
    const viz: Chart = {
      type: "bar",
      x: { field: "month" },
      y: [{ field: "amount" }],
      color: { field: "kind" },
      stack: "percent",
    };
    expect(seriesOf(viz).map(({ name, data }) => [name, data[1]])).toEqual([
      ["b", 0.9],
      ["a", null],
      ["c", 0.1],
      ["(none)", null],
    ]);
  });
});
