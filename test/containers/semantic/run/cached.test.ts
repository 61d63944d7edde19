// Semantic statements on the lake whose rows are kept: as they are told, and to whom.

import { afterAll, beforeAll, expect, it } from "vitest";
import { column } from "../../../support/node/lake/test-lake.ts";
import { SCHEMA, SemanticEngine, type SemanticRequest } from "../../../support/node/semantic/semantic-engine.ts";
import { aSemanticQuery } from "../../../support/node/semantic/shop.ts";

const MODEL = {
  cubes: [
    {
      name: "orders",
      sql_table: `${SCHEMA}.orders`,
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "status", sql: "status", type: "string" },
      ],
      measures: [{ name: "count", type: "count" }],
    },
  ],
  views: [],
};
const ORDERS = {
  name: "orders",
  columns: [column(1, "id", "int32"), column(2, "status", "varchar")],
  types: { id: { postgres: "integer", mysql: "int" }, status: { postgres: "varchar", mysql: "varchar(20)" } },
  rows: ["(1, 'new')", "(2, 'new')", "(3, 'old')"],
};

let engine: SemanticEngine;
beforeAll(async () => void (engine = await SemanticEngine.open([ORDERS], { resultCacheBytesMax: 8_000_000 })), 120_000);
afterAll(() => engine.close());

const NOW = "2026-01-31T00:00:00.000Z";
const COUNT = { measures: ["orders.count"] };
const withStatus = (status: string) => ({
  query: aSemanticQuery({ ...COUNT, filters: [{ member: "orders.status", operator: "equals", values: [status] }] }),
  head: { lastRefreshTime: NOW },
});

async function ask(asked: SemanticRequest) {
  const response = await engine.ask("lake", { model: MODEL, ...asked });
  const { headers } = response;
  const body = JSON.parse(await response.text());
  expect(body.success, JSON.stringify(body)).toBe(true);
  return { body, status: headers.get("cache-status"), age: headers.get("age") };
}

it.each(["default", "compact", "columnar"] as const)(
  "is answered again from what is kept, and says from when: %s",
  async (responseFormat) => {
    const limit = { default: 10, compact: 11, columnar: 12 }[responseFormat];
    const query = aSemanticQuery({ ...COUNT, dimensions: ["orders.status"], limit });
    const asked: SemanticRequest = {
      queries: [{ query, head: { lastRefreshTime: NOW } }],
      statement: { responseFormat },
    };
    const first = await ask(asked);
    expect(first).toMatchObject({ body: { lastRefreshTime: NOW }, status: "Fjord; fwd=miss", age: null });
    expect(first.body.meta).not.toHaveProperty("cachedAt");
    expect(Object.keys(first.body.timing.phases)).toEqual(expect.arrayContaining(["compile", "gate", "run"]));
    const again = await ask(asked);
    expect(again).toMatchObject({ body: { data: first.body.data }, status: "Fjord; hit", age: "0" });
    expect(again.body.meta.cachedAt).toBe(again.body.lastRefreshTime);
    const { durationMs, phases } = again.body.timing;
    expect(phases).not.toHaveProperty("run");
    expect(durationMs).toBeGreaterThanOrEqual(Math.floor(phases.compile));
    expect(again.body.meta.cachedAt).not.toBe(NOW);
  },
);

it("tells apart what its values are, which are not in the text", async () => {
  for (const status of ["Fjord; fwd=miss", "Fjord; hit"]) {
    expect(await ask({ queries: [withStatus("new")] })).toMatchObject({
      body: { data: [{ "orders.count": 2 }] },
      status,
    });
    expect(await ask({ queries: [withStatus("old")] })).toMatchObject({
      body: { data: [{ "orders.count": 1 }] },
      status,
    });
  }
});

it.each(["csv", "ndjson", "arrow", "parquet"] as const)(
  "is kept in a format of rows, under the members' names: %s",
  async (format) => {
    const query = aSemanticQuery({ ...COUNT, dimensions: ["orders.status"], limit: 20 });
    const asked: SemanticRequest = { model: MODEL, queries: [{ query, head: {} }], request: { format } };
    const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString("latin1");
    const first = await engine.ask("lake", asked);
    const again = await engine.ask("lake", asked);
    expect([first, again].map(({ headers }) => headers.get("cache-status"))).toEqual(["Fjord; fwd=miss", "Fjord; hit"]);
    const bytes = await bytesOf(first);
    expect(bytes).toContain("orders.status");
    expect(await bytesOf(again)).toBe(bytes);
  },
);

it("is no hit where a part of it has run, and says of each part when its rows were read", async () => {
  const queries = ["new", "none"].map((status) => ({ ...withStatus(status), compareDateRange: status }));
  await ask({ queries: [withStatus("new")] });
  const { body, status, age } = await ask({ queries });
  expect([status, age]).toEqual(["Fjord; fwd=miss", null]);
  expect(body.meta.cachedAt).toBe(body.results[0].lastRefreshTime);
  expect(body.results[0].lastRefreshTime).not.toBe(NOW);
  expect(body.results[1].lastRefreshTime).toBe(NOW);
  expect((await ask({ queries })).status).toBe("Fjord; hit");
});

it("is kept with its total", async () => {
  const query = aSemanticQuery({ ...COUNT, dimensions: ["orders.status"], limit: 1 });
  const asked: SemanticRequest = { queries: [{ query, head: {} }], statement: { total: true } };
  expect((await ask(asked)).body.total).toBe(2);
  expect(await ask(asked)).toMatchObject({ body: { total: 2 }, status: "Fjord; hit" });
});

it("runs where its sender says so", async () => {
  await ask({ queries: [withStatus("new")] });
  const asked = { queries: [withStatus("new")], request: { invalidate: true } };
  expect((await ask(asked)).status).toBe("Fjord; fwd=request");
});

it("says nothing of a cache on a source, where there is none", async () => {
  for (let i = 0; i < 2; i++) {
    const response = await engine.ask("postgres", { model: MODEL, queries: [withStatus("new")] });
    expect([response.status, response.headers.get("cache-status"), response.headers.get("age")]).toEqual([
      200,
      null,
      null,
    ]);
    await response.text();
  }
});
