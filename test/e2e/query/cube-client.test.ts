// Cube's own client loads, pivots and drills here, through a transport to /v1/query.

import cube, { type CubeApi } from "@cubejs-client/core";
import pg from "pg";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { call, connect, type Integration } from "../client.ts";
import { CubeTransport } from "./cube-transport.ts";

const DATABASE = "cube_client";
const TABLES = `
  CREATE TABLE orders (id int PRIMARY KEY, city text, status text, total numeric(10,2), placed timestamp);
  CREATE TABLE line_items (order_id int, line int, sku text, PRIMARY KEY (order_id, line));
  INSERT INTO orders VALUES
    (1, 'Oslo', 'paid', 100.10, '2024-01-15 10:00'), (2, 'Oslo', 'open', 50, '2024-02-01 00:00'),
    (3, 'Bergen', 'paid', 0.30, '2024-02-29 23:59'), (4, NULL, 'paid', 7, '2024-03-31 12:00'),
    (5, 'Bergen', 'open', NULL, '2024-01-31 23:59');
  INSERT INTO line_items VALUES (1, 1, 'pen'), (1, 2, 'ink'), (1, 3, 'pen'), (2, 1, 'pad'), (3, 1, 'pen'), (5, 1, 'ink');`;

const MODEL = `cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: line_items
        relationship: one_to_many
        sql: "{CUBE}.id = {line_items}.order_id"
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: city, sql: city, type: string }
      - { name: status, sql: status, type: string }
      - { name: placed, sql: placed, type: time }
    measures:
      - { name: count, type: count }
      - name: paid
        type: sum
        sql: total
        filters: [{ sql: "{CUBE}.status = 'paid'" }]
        drill_members: [id, city]
  - name: line_items
    sql_table: line_items
    dimensions:
      - { name: order_id, sql: order_id, type: number, primary_key: true }
      - { name: line, sql: line, type: number, primary_key: true }
      - { name: sku, sql: sku, type: string }
    measures:
      - { name: count, type: count }
`;

let client: CubeApi;

beforeAll(async () => {
  const server = inject("postgres");
  const run = async (database: string, sql: string): Promise<void> => {
    const connection = new pg.Client({ ...server, user: server.username, database });
    await connection.connect();
    await connection.query(sql);
    await connection.end();
  };
  await run("postgres", `CREATE DATABASE ${DATABASE}`);
  await run(DATABASE, TABLES);
  const database = await connect("postgres", server, DATABASE);
  const made = await call("POST", "/v1/api/integrations", {
    body: { type: "cube", name: "Of Cube's client", credentials: { integration_id: database.id } },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = (made.body as { integration: Integration }).integration;
  const put = await call("PUT", `/v1/api/integrations/${id}/model`, {
    body: { files: [{ path: "shop.yml", content: MODEL }] },
  });
  expect(put.status, JSON.stringify(put.body)).toBe(200);
  client = cube(async () => "key", { apiUrl: "", transport: new CubeTransport(id) });
});

const BY_MONTH = {
  measures: ["orders.count", "line_items.count"],
  timeDimensions: [
    { dimension: "orders.placed", granularity: "month", dateRange: ["2024-01-01", "2024-04-30"] as [string, string] },
  ],
};

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
      { "orders.city": "Bergen", "orders.count": 2 },
      { "orders.city": "Oslo", "orders.count": 2 },
      { "orders.city": null, "orders.count": 1 },
    ]);
  });

  it("pivots a dimension into columns", async () => {
    const result = await client.load({ dimensions: ["orders.city", "orders.status"], measures: ["orders.count"] });
    const pivot = { x: ["orders.city"], y: ["orders.status", "measures"] };
    const rows = result.tablePivot(pivot) as Record<string, unknown>[];
    const oslo = rows.find((row) => row["orders.city"] === "Oslo");
    expect(oslo).toEqual({ "orders.city": "Oslo", "open,orders.count": 1, "paid,orders.count": 1 });
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
    expect(result.decompose().map((each) => each.rawData().map((row) => row["orders.count"]))).toEqual([[2], [2]]);
    expect(result.series().map(({ key }) => key)).toEqual([
      "2024-01-01T00:00:00.000 - 2024-01-31T23:59:59.999,orders.count",
      "2024-02-01T00:00:00.000 - 2024-02-29T23:59:59.999,orders.count",
    ]);
  });

  it("counts the rows that there are", async () => {
    const result = await client.load({ dimensions: ["orders.id"], limit: 2, total: true });
    expect(result.rawData()).toHaveLength(2);
    expect(result.totalRows()).toBe(5);
  });

  it("reads the meta", async () => {
    const meta = await client.meta();
    expect(meta.cubes.map(({ name }) => name)).toEqual(["orders", "line_items"]);
    expect(meta.resolveMember("orders.paid", "measures")).toMatchObject({ title: "Orders Paid", type: "number" });
  });

  it("is told what is wrong with a query", async () => {
    await expect(client.load({ measures: ["orders.none"] })).rejects.toThrow(/orders\.none|'none'/);
  });
});
