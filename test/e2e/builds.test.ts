import { expect, it } from "vitest";
import { createDoc, listTables, rerunDoc, runDoc } from "./builds/runs.ts";
import { call, rowsOf } from "./client.ts";

type Data<Payload> = { data: Payload };

const SCHEMA = `built_${Date.now().toString(36)}`;

const shop = (orders: string, tests: object[] = []) => ({
  version: 1,
  kind: "pipeline",
  metadata: { name: `Shop ${SCHEMA}` },
  datasets: {
    raw: {
      engine: "python",
      timeoutMs: 60_000,
      code: `import pandas\nresult = pandas.DataFrame(${orders})`,
      materialize: { table: `${SCHEMA}.raw` },
    },
    orders: {
      engine: "sql",
      dependsOn: ["raw"],
      sql: `SELECT id, amount FROM ${SCHEMA}.raw WHERE amount > 0`,
      materialize: { table: `${SCHEMA}.orders`, mode: "merge", key: ["id"] },
      tests: [{ kind: "not_null", columns: ["id"] }, ...tests],
    },
    scored: {
      engine: "python",
      timeoutMs: 60_000,
      inputs: [{ ref: "orders", as: "orders_df" }],
      code: "orders_df['score'] = orders_df['amount'] * 2\nresult = orders_df",
      materialize: { table: `${SCHEMA}.scored` },
    },
    totals: {
      engine: "sql",
      dependsOn: ["scored"],
      sql: `SELECT count(*) AS orders, sum(score)::BIGINT AS score FROM ${SCHEMA}.scored`,
      materialize: { table: `${SCHEMA}.totals` },
      tests: [{ kind: "row_count", min: 1, max: 1 }],
    },
  },
});

async function columnsOf(table: string): Promise<object[]> {
  const lakes = await call<Data<{ id: string }[]>>("GET", "/v1/api/integrations?type=lake");
  const path = `/v4/catalog/integrations/${lakes.body.data[0]!.id}/tables/${SCHEMA}/${table}/lineage`;
  const { status, body } = await call<Data<{ columns: object[] }>>("GET", path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.columns;
}

it("builds the tables of SQL and Python in one commit, which failed tests keep as they were", async () => {
  const docId = await createDoc(shop("{'id': [1, 2, 3], 'amount': [10, 0, 5]}"));
  const first = await runDoc(docId);
  expect(first, JSON.stringify(first)).toMatchObject({ state: "succeeded", error: null });
  expect(await rowsOf(`SELECT * FROM LAKE.${SCHEMA}.orders ORDER BY id`)).toEqual([
    { id: 1, amount: 10 },
    { id: 3, amount: 5 },
  ]);
  expect(await rowsOf(`SELECT * FROM LAKE.${SCHEMA}.totals`)).toEqual([{ orders: 2, score: 30 }]);
  const scored = await columnsOf("scored");
  expect(scored).toMatchObject([{ name: "id", is_known: false }, { is_known: false }, { name: "score" }]);
  expect(await columnsOf("totals")).toEqual([
    { name: "orders", is_known: true, sources: [] },
    { name: "score", is_known: true, sources: [{ schema: SCHEMA, name: "scored", column: "score" }] },
  ]);
  expect(await columnsOf("orders")).toMatchObject([
    { name: "id", sources: [{ schema: SCHEMA, name: "raw", column: "id" }] },
    { name: "amount", sources: [{ column: "amount" }] },
  ]);

  const tested = shop("{'id': [3, 4], 'amount': [6, 7]}", [{ kind: "accepted_values", column: "amount", values: [6] }]);
  await call("PUT", `/v4/docs/${docId}`, { body: tested });
  const second = await runDoc(docId);
  expect(second).toMatchObject({ state: "failed", error: expect.stringContaining("accepted_values of amount") });
  expect(second.executions.map(({ dataset_key, state }) => [dataset_key, state])).toEqual([
    ["raw", "failed"],
    ["orders", "failed"],
    ["scored", "failed"],
    ["totals", "failed"],
  ]);
  expect(await rowsOf(`SELECT * FROM LAKE.${SCHEMA}.totals`)).toEqual([{ orders: 2, score: 30 }]);

  // The test is put right: what was read stands, and what its failure kept back goes on from there.
  await call("PUT", `/v4/docs/${docId}`, {
    body: shop("{'id': [3, 4], 'amount': [6, 7]}", [
      { kind: "accepted_values", column: "amount", values: [5, 6, 7, 10] },
    ]),
  });
  const third = await rerunDoc(docId, second.id);
  expect(third, JSON.stringify(third)).toMatchObject({ state: "succeeded" });
  const ran = await call<Data<{ result: { rows: number } }>>("GET", `/v4/executions/${third.executions[0]!.id}`);
  expect(ran.body.data.result.rows).toBe(2);
  expect(await listTables(docId, third.id)).toMatchObject([
    { dataset_key: "raw", sources: [], is_published: true },
    {
      dataset_key: "orders",
      sources: [{ schema: SCHEMA, name: "raw" }],
      tests: [{ state: "passed" }, { state: "passed" }],
    },
    { dataset_key: "scored", sources: [{ schema: SCHEMA, name: "orders" }] },
    { dataset_key: "totals", sources: [{ schema: SCHEMA, name: "scored" }] },
  ]);
  expect(await rowsOf(`SELECT * FROM LAKE.${SCHEMA}.orders ORDER BY id`)).toEqual([
    { id: 1, amount: 10 },
    { id: 3, amount: 6 },
    { id: 4, amount: 7 },
  ]);
}, 400_000);
