// Cube's own client, as it is: a URL and a key let it load, pivot and drill, and tell it why where it can't.

import cube, { type CubeApi } from "@cubejs-client/core";
import { beforeAll, describe, expect, it } from "vitest";
import { openCubeShop } from "./cube-shop.ts";

let shop: { apiUrl: string; key: string };
let client: CubeApi;
beforeAll(async () => {
  shop = await openCubeShop("cube_client");
  client = cube(shop.key, { apiUrl: shop.apiUrl });
});

const BY_MONTH = {
  measures: ["orders.count", "line_items.count"],
  timeDimensions: [
    { dimension: "orders.placed", granularity: "month", dateRange: ["2024-01-01", "2024-04-30"] as [string, string] },
  ],
};

const ONE = { member: "orders.id", operator: "equals" as const, values: ["1"] };
type Subscription = { unsubscribe(): Promise<void> };

describe("Cube's client", () => {
  it("loads rows, and fills the months in which nothing was", async () => {
    const result = await client.load(BY_MONTH);
    expect(result.rawData()).toHaveLength(3);
    expect(result.series().map(({ key, title, series }) => [key, title, series.map(({ value }) => value)])).toEqual([
      ["orders.count", "Orders Count", [2, 2, 1, 0]],
      ["line_items.count", "Line Items Count", [4, 2, 0, 0]],
    ]);
    expect(result.series()[0]!.series.map(({ x }) => x)).toEqual([
      "2024-01-01T00:00:00.000",
      "2024-02-01T00:00:00.000",
      "2024-03-01T00:00:00.000",
      "2024-04-01T00:00:00.000",
    ]);
  });

  it.each(["default", "compact", "columnar"] as const)("reads the format %s", async (format) => {
    const query = { dimensions: ["orders.city"], measures: ["orders.count"], order: { "orders.city": "asc" as const } };
    const result = await client.load(query, {}, undefined, format as never);
    expect(result.rawData()).toEqual([
      { "orders.city": "Bergen", "orders.count": "2" },
      { "orders.city": "Oslo", "orders.count": "2" },
      { "orders.city": null, "orders.count": "1" },
    ]);
  });

  it("pivots a dimension into columns", async () => {
    const result = await client.load({ dimensions: ["orders.city", "orders.status"], measures: ["orders.count"] });
    const pivot = { x: ["orders.city"], y: ["orders.status", "measures"] };
    const rows = result.tablePivot(pivot) as Record<string, unknown>[];
    const oslo = rows.find((row) => row["orders.city"] === "Oslo");
    expect(oslo).toEqual({ "orders.city": "Oslo", "open,orders.count": "1", "paid,orders.count": "1" });
    const titles = result.tableColumns(pivot).map(({ title }) => title);
    expect(titles).toEqual(["Orders City", "Orders Status open", "Orders Status paid"]);
  });

  it("drills into what a measure counts", async () => {
    const result = await client.load({ ...BY_MONTH, measures: ["orders.paid"] });
    expect(result.series()[0]!.series.map(({ value }) => value)).toEqual([100.1, 0.3, 7, 0]);
    const drill = result.drillDown({ xValues: ["2024-02-01T00:00:00.000"], yValues: ["orders.paid"] });
    expect(drill).toMatchObject({ dimensions: ["orders.id", "orders.city"] });
    const rows = (await client.load(drill!)).rawData();
    expect(rows).toEqual([{ "orders.id": 3, "orders.city": "Bergen" }]);
  });

  it("compares ranges of dates", async () => {
    const result = await client.load({
      measures: ["orders.count"],
      timeDimensions: [
        {
          dimension: "orders.placed",
          granularity: "month",
          compareDateRange: [
            ["2024-01-01", "2024-01-31"],
            ["2024-02-01", "2024-02-29"],
          ],
        },
      ],
    });
    expect(result.decompose().map((each) => each.rawData().map((row) => row["orders.count"]))).toEqual([["2"], ["2"]]);
    expect(result.series().map(({ key }) => key)).toEqual([
      "2024-01-01T00:00:00.000 - 2024-01-31T23:59:59.999,orders.count",
      "2024-02-01T00:00:00.000 - 2024-02-29T23:59:59.999,orders.count",
    ]);
  });

  it("blends the answers of several queries by their time", async () => {
    const { timeDimensions } = BY_MONTH;
    const result = await client.load([
      { measures: ["orders.count"], timeDimensions },
      { measures: ["orders.paid"], timeDimensions },
    ]);
    expect(result.chartPivot().map(({ x, ...values }) => [x, Object.values(values).slice(1)])).toEqual([
      ["2024-01-01T00:00:00.000", [2, 100.1]],
      ["2024-02-01T00:00:00.000", [2, 0.3]],
      ["2024-03-01T00:00:00.000", [1, 7]],
      ["2024-04-01T00:00:00.000", [0, 0]],
    ]);
    expect(result.series().map(({ title }) => title)).toEqual(["Orders Count", "Orders Paid"]);
    expect(result.decompose().map((each) => each.rawData().length)).toEqual([3, 3]);
  });

  it("counts the rows that there are", async () => {
    const result = await client.load({ dimensions: ["orders.id"], limit: 2, total: true });
    expect(result.rawData()).toHaveLength(2);
    expect(result.totalRows()).toBe(5);
  });

  it("keeps all digits of a number, and casts numbers where it is told to", async () => {
    const query = { dimensions: ["orders.large"], measures: ["orders.paid"], limit: 1 };
    expect((await client.load(query)).rawData()).toEqual([
      { "orders.large": "9007199254740993", "orders.paid": "107.40" },
    ]);
    const cast = await client.load({ measures: ["orders.paid"] }, { castNumerics: true });
    expect(cast.rawData()).toEqual([{ "orders.paid": 107.4 }]);
  });

  it("is told to wait while a query runs, and has its rows in the end", async () => {
    let waits = 0;
    const query = { dimensions: ["orders.slowly"], measures: ["orders.count"], filters: [ONE] };
    const result = await client.load(query, { progressCallback: () => void waits++ });
    expect(result.rawData()).toEqual([{ "orders.slowly": "", "orders.count": "1" }]);
    expect(waits).toBeGreaterThan(0);
  });

  it("reads the meta", async () => {
    const meta = await client.meta();
    expect(meta.cubes.map(({ name }) => name)).toEqual(["orders", "line_items"]);
    expect(meta.resolveMember("orders.paid", "measures")).toMatchObject({ title: "Orders Paid", type: "number" });
    expect((await client.meta({ onlyViews: true })).cubes).toEqual([]);
  });

  it("shows the SQL of a query", async () => {
    const sql = await client.sql({ measures: ["orders.count"], filters: [ONE] });
    expect(sql.sql()).toMatch(/SELECT.*count\(.*WHERE/is);
    expect(sql.rawQuery()).toMatchObject({ sql: [expect.any(String), [expect.anything()]], dataSource: "default" });
  });

  it("is told what a query means, without its rows", async () => {
    expect(await client.dryRun(BY_MONTH)).toMatchObject({
      queryType: "regularQuery",
      queryOrder: [{ "orders.placed": "asc" }],
      pivotQuery: { timeDimensions: [{ dateRange: ["2024-01-01T00:00:00.000", "2024-04-30T23:59:59.999"] }] },
    });
  });

  it("subscribes by asking again, until it has enough, whatever it is told", async () => {
    const often = cube(shop.key, { apiUrl: shop.apiUrl, pollInterval: 0.05 });
    const counts: unknown[] = [];
    const errors: string[] = [];
    const good = often.subscribe({ measures: ["orders.count"] }, {}, (error, result) =>
      counts.push(error ?? result.rawData()[0]!["orders.count"]),
    );
    const bad = often.subscribe({ measures: ["orders.none"] }, {}, (error) => errors.push(String(error)));
    await expect.poll(() => Math.min(counts.length, errors.length), { timeout: 30_000 }).toBeGreaterThan(2);
    await (good as unknown as Subscription).unsubscribe();
    await (bad as unknown as Subscription).unsubscribe();
    expect(new Set(counts)).toEqual(new Set(["5"]));
    expect(new Set(errors)).toEqual(
      new Set(["Error: 'none' not found for path 'orders.none'. orders has orders.count, orders.paid."]),
    );
  });

  it("sends a query that is too long for an address as a body", async () => {
    const values = Array.from({ length: 500 }, (_, i) => String(i));
    const filters = [{ member: "orders.id", operator: "equals" as const, values }];
    const result = await client.load({ measures: ["orders.count"], filters });
    expect(result.rawData()).toEqual([{ "orders.count": "5" }]);
  });

  it.each<[string, (api: CubeApi) => unknown, RegExp]>([
    ["a member that is not there", (api) => api.load({ measures: ["orders.none"] }), /^'none' not found for path/],
    ["a list without a time", (api) => api.load([{ measures: ["orders.count"] }]), /^Data blending query without/],
    ["SQL", (api) => api.cubeSql("SELECT 1"), /^No operation answers POST .*\/cubesql\.$/],
  ])("is told in words why %s can't be answered", async (_, ask, text) => {
    await expect(ask(client)).rejects.toThrow(text);
  });

  it("is told in words that its key is nobody's, and that its address leads nowhere", async () => {
    const query = { measures: ["orders.count"] };
    await expect(cube("nobody", { apiUrl: shop.apiUrl }).load(query)).rejects.toThrow(/^Send a valid API key/);
    const elsewhere = shop.apiUrl.replace(/[^/]+\/v1$/, `${crypto.randomUUID()}/v1`);
    await expect(cube(shop.key, { apiUrl: elsewhere }).load(query)).rejects.toThrow(/was not found\.$/);
  });
});
