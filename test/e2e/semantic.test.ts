// A newcomer asks a semantic question in a minute: a model drafted from the sample, saved, and asked, over HTTP alone.

import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { call, connect, rowsOf, type Failure, type QueryAnswer } from "./client.ts";

const PATH = "/v1/api/integrations";
type Saved = { model: { version: number } | null; files: { path: string; content: string }[]; warnings: string[] };
type Member = { name: string };
type Meta = { cubes: { name: string; measures: Member[]; dimensions: Member[] }[] };
type Preview = { statements: { sql: string; values: unknown[]; join_path: object[]; multiplied_cubes: string[] }[] };

/** A model on the integration that the name says, without a version yet. */
async function addCube(base: string): Promise<string> {
  const body = { type: "cube", credentials: { integration_id: base } };
  const answer = await call<{ integration: { id: string } }>("POST", PATH, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.integration.id;
}

async function ask(cube_query: object, integration_id: string): Promise<QueryAnswer> {
  const { status, body } = await call<QueryAnswer>("POST", "/v1/query", { body: { cube_query, integration_id } });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.success).toBe(true);
  return body;
}

async function draft(id: string, body: object): Promise<Saved> {
  const answer = await call<Saved>("POST", `${PATH}/${id}/model/draft`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

describe("a semantic model of the sample", () => {
  let id: string;
  beforeAll(async () => {
    const { body } = await call<{ data: { id: string; is_default: boolean }[] }>("GET", PATH);
    id = await addCube(body.data.find((integration) => integration.is_default)!.id);
  });
  afterAll(async () => void (await call("DELETE", `${PATH}/${id}`)));

  it("is drafted with its keys and joins, saved, and asked, in less than a minute", async () => {
    const startedAt = performance.now();
    const { model, files, warnings } = await draft(id, { schemas: ["sample"], save: true });
    expect(model).toMatchObject({ version: 1 });
    expect(files.map(({ path }) => path).sort()).toEqual(
      ["customers", "order_items", "orders", "products"].map((name) => `cubes/${name}.yml`),
    );
    expect(warnings.join("\n")).toContain("sample.order_items: order_id, line is taken for its key.");
    const query = {
      measures: ["orders.count"],
      timeDimensions: [{ dimension: "orders.ordered_at", granularity: "year" }],
    };
    const { data } = await ask(query, id);
    expect(performance.now() - startedAt).toBeLessThan(60_000);
    const years = await rowsOf(
      "SELECT CAST(year(ordered_at AT TIME ZONE 'UTC') AS INTEGER) AS year, count(*) AS n FROM LAKE.sample.orders GROUP BY ALL ORDER BY 1",
    );
    expect(data.map((row) => [String(row["orders.ordered_at.year"]).slice(0, 4), row["orders.count"]])).toEqual(
      years.map(({ year, n }) => [String(year), n]),
    );
  });

  it("counts no order twice for its items, and shows how it joins", async () => {
    const query = {
      measures: ["orders.total_shipping_fee", "order_items.total_quantity", "order_items.count"],
      dimensions: ["customers.country"],
      order: { "customers.country": "asc" },
    };
    const { data } = await ask(query, id);
    const alone = await rowsOf(`SELECT c.country, sum(o.shipping_fee) AS fee,
        (SELECT sum(i.quantity) FROM LAKE.sample.order_items i JOIN LAKE.sample.orders p USING (order_id)
          JOIN LAKE.sample.customers d USING (customer_id) WHERE d.country IS NOT DISTINCT FROM c.country) AS quantity,
        (SELECT count(*) FROM LAKE.sample.order_items i JOIN LAKE.sample.orders p USING (order_id)
          JOIN LAKE.sample.customers d USING (customer_id) WHERE d.country IS NOT DISTINCT FROM c.country) AS items
      FROM LAKE.sample.orders o JOIN LAKE.sample.customers c USING (customer_id) GROUP BY c.country ORDER BY c.country`);
    expect(data.length).toBeGreaterThan(1);
    expect(
      data.map((row) => ({
        country: row["customers.country"],
        fee: Number(row["orders.total_shipping_fee"]),
        quantity: Number(row["order_items.total_quantity"]),
        items: Number(row["order_items.count"]),
      })),
    ).toEqual(
      alone.map(({ country, fee, quantity, items }) => ({
        country,
        fee: Number(fee),
        quantity: Number(quantity),
        items: Number(items),
      })),
    );
    const { status, body } = await call<Preview>("POST", `${PATH}/${id}/sql`, { body: { cube_query: query } });
    expect(status).toBe(200);
    const [statement, ...others] = body.statements;
    expect(others).toEqual([]);
    expect(statement!.join_path).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ from: "order_items", to: "orders", relationship: "many_to_one" }),
        expect.objectContaining({ from: "orders", to: "customers", relationship: "many_to_one" }),
      ]),
    );
    expect(statement!.sql).toMatch(/order_items/);
  });

  it("lists what it offers, and names what it does not have", async () => {
    const { body } = await call<Meta>("GET", `${PATH}/${id}/meta`);
    expect(body.cubes.map(({ name }) => name).sort()).toEqual(["customers", "order_items", "orders", "products"]);
    const orders = body.cubes.find(({ name }) => name === "orders")!;
    expect(orders.measures.map(({ name }) => name)).toContain("orders.count");
    const wrong = await call<Failure>("POST", "/v1/query", {
      body: { cube_query: { measures: ["orders.profit"] }, integration_id: id },
    });
    expect(wrong.status).toBe(422);
    expect(wrong.body.message).toContain("orders.profit");
  });

  it("is changed by files, compared, and brought back, and its lake stays as long as it", async () => {
    const before = (await call<{ model: { files: { path: string; content: string }[] } }>("GET", `${PATH}/${id}/model`))
      .body.model;
    const files = before.files.map((file) =>
      file.path === "cubes/orders.yml"
        ? { ...file, content: file.content.replace("- name: count", "- name: number_of_orders") }
        : file,
    );
    const put = await call<Saved>("PUT", `${PATH}/${id}/model`, { body: { files, expected_version: 1 } });
    expect([put.status, put.body.model]).toMatchObject([200, { version: 2 }]);
    expect((await ask({ measures: ["orders.number_of_orders"] }, id)).rowCount).toBe(1);
    const diff = await call<{ files: { diff: string }[]; members: object[] }>(
      "GET",
      `${PATH}/${id}/model/versions/2/diff`,
    );
    expect(diff.body.files[0]!.diff).toContain("+      - name: number_of_orders");
    expect(diff.body.members).toEqual([
      { member: "orders.count", change: "removed" },
      { member: "orders.number_of_orders", change: "added" },
    ]);
    const wrong = files.map((file) => ({ ...file, content: file.content.replace("type: sum", "type: sums") }));
    const refused = await call<Failure>("PUT", `${PATH}/${id}/model`, { body: { files: wrong } });
    expect(refused.status).toBe(422);
    expect(refused.body.error.flaws[0]).toMatchObject({
      file: expect.stringMatching(/\.yml$/),
      line: expect.any(Number),
    });
    expect((await call("POST", `${PATH}/${id}/model/restore`, { body: { version: 1 } })).status).toBe(200);
    expect((await ask({ measures: ["orders.count"] }, id)).rowCount).toBe(1);
  });
});

describe("a semantic model of a database", () => {
  it("is drafted from its keys, which stays while the model does", async () => {
    const source = await connect("postgres", inject("postgres"), "postgres");
    const id = await addCube(source.id);
    const { status, body } = await call<Failure>("DELETE", `${PATH}/${source.id}`);
    expect(status).toBe(409);
    expect(body.message).toContain(id);
    expect((await call("DELETE", `${PATH}/${id}`)).status).toBe(204);
    expect((await call("DELETE", `${PATH}/${source.id}`)).status).toBe(204);
  });
});
