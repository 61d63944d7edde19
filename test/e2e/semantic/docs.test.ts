// A semantic query as a dataset of a doc: it feeds Python, by hand and through an automation.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, rowsOf } from "../client.ts";

type Data<Payload> = { data: Payload };
type Run = { id: string; state: string; error: string | null };

const MODEL = `
cubes:
  - name: orders
    sql_table: sample.orders
    joins:
      - { name: order_items, sql: "{CUBE}.order_id = {order_items}.order_id", relationship: one_to_many }
    dimensions:
      - { name: id, sql: order_id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: placed, sql: ordered_at, type: time }
    measures:
      - { name: count, type: count }
  - name: order_items
    sql_table: sample.order_items
    dimensions:
      - { name: order, sql: order_id, type: number, primary_key: true }
      - { name: line, sql: line, type: number, primary_key: true }
    measures:
      - { name: quantity, sql: quantity, type: sum }
`;

let cube: string;
beforeAll(async () => {
  const lakes = await call<Data<{ id: string }[]>>("GET", "/v1/api/integrations?type=lake");
  const body = { type: "cube", name: "Shop by members", credentials: { integration_id: lakes.body.data[0]!.id } };
  const made = await call<{ integration: { id: string } }>("POST", "/v1/api/integrations", { body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  cube = made.body.integration.id;
  const files = [{ path: "shop.yml", content: MODEL }];
  const put = await call("PUT", `/v1/api/integrations/${cube}/model`, { body: { files } });
  expect(put.status, JSON.stringify(put.body)).toBe(200);
});

afterAll(async () => expect((await call("DELETE", `/v1/api/integrations/${cube}`)).status).toBeLessThan(300));

/** Members that only name a field are of the dataset's own cube. */
const datasets = () => ({
  by_status: {
    engine: "cube",
    cube: "orders",
    integrationId: cube,
    measures: ["count", "order_items.quantity"],
    dimensions: ["status"],
    order: { count: "desc" },
  },
  work: {
    engine: "python",
    code:
      "top = by_status.iloc[0]\nprint('rows', len(by_status), 'orders', int(by_status['orders.count'].sum()), 'items', " +
      "int(by_status['order_items.quantity'].sum()))\nresult = str(top['orders.status'])",
    inputs: [{ ref: "by_status", as: "by_status" }],
    timeoutMs: 60_000,
  },
});

const newDoc = async (parts: object): Promise<string> => {
  const definition = { version: 1, kind: "pipeline", metadata: { name: "By status" }, datasets: parts };
  const { status, body } = await call<Data<{ id: string; warnings: string[] }>>("POST", "/v4/docs", {
    body: definition,
  });
  expect([status, body.data.warnings]).toEqual([201, []]);
  return body.data.id;
};

/** What SQL says of it, each fact by itself. */
async function expectedLine(): Promise<string> {
  const [orders] = await rowsOf("SELECT count(DISTINCT status) AS n, count(*) AS c FROM LAKE.sample.orders");
  const [items] = await rowsOf("SELECT sum(quantity) AS q FROM LAKE.sample.order_items");
  return `rows ${orders!.n} orders ${orders!.c} items ${items!.q}`;
}

describe("a dataset of engine cube", () => {
  it("feeds Python in a doc's run, each measure as it is alone", async () => {
    const doc = await newDoc(datasets());
    const started = await call<Data<{ id: string }>>("POST", `/v4/docs/${doc}/run`, { body: {} });
    expect(started.status, JSON.stringify(started.body)).toBe(202);
    const run = async () =>
      (
        await call<Data<{ state: string; results: Record<string, { error: string | null; executionId: string }> }>>(
          "GET",
          `/v4/docs/${doc}/runs/${started.body.data.id}`,
        )
      ).body.data;
    await expect
      .poll(async () => (await run()).state, { timeout: 90_000, interval: 500 })
      .not.toMatch(/queued|running|starting/);
    const { state, results } = await run();
    expect([state, results["by_status"]!.error, results["work"]!.error]).toEqual(["succeeded", null, null]);
    const logs = await call("GET", `/v4/executions/${results["work"]!.executionId}/logs`);
    expect(JSON.stringify(logs.body)).toContain(await expectedLine());
  }, 180_000);

  it("is asked through an automation", async () => {
    const doc = await newDoc(datasets());
    const body = { resourceType: "doc", resourceId: doc };
    const job = (await call<Data<{ id: string }>>("POST", "/v4/automations/jobs", { body })).body.data.id;
    const { id } = (await call<Data<Run>>("POST", `/v4/automations/jobs/${job}/process`, { body: {} })).body.data;
    const run = async () => (await call<Data<Run>>("GET", `/v4/automations/jobs/${job}/runs/${id}`)).body.data;
    await expect.poll(async () => (await run()).state, { timeout: 90_000, interval: 500 }).toMatch(/succeeded|failed/);
    expect(await run()).toMatchObject({ state: "succeeded", error: null });
    const logs = await call("GET", `/v4/automations/jobs/${job}/runs/${id}/attempts/1/logs`);
    expect(JSON.stringify(logs.body)).toContain(await expectedLine());
  }, 180_000);

  it("fails in Cube's words where the model has no such member", async () => {
    const doc = await newDoc({ typo: { engine: "cube", cube: "orders", integrationId: cube, measures: ["cuont"] } });
    const started = await call<Data<{ id: string }>>("POST", `/v4/docs/${doc}/run`, { body: {} });
    const run = async () =>
      (
        await call<Data<{ state: string; results: Record<string, { error: string | null }> }>>(
          "GET",
          `/v4/docs/${doc}/runs/${started.body.data.id}`,
        )
      ).body.data;
    await expect.poll(async () => (await run()).state, { timeout: 90_000, interval: 500 }).toBe("failed");
    expect((await run()).results["typo"]!.error).toContain("'cuont' not found for path 'orders.cuont'");
  }, 120_000);
});
