import { expect, it } from "vitest";
import { call } from "./client.ts";

type Data<Payload> = { data: Payload };
type Run = {
  id: string;
  doc_id: string;
  state: string;
  error: string | null;
  ended_at: string | null;
  executions: { id: string; dataset_key: string; state: string; error: string | null }[];
};

const SCHEMA = `built_${Date.now().toString(36)}`;

const query = async (sql: string): Promise<Record<string, unknown>[]> => {
  const { status, body } = await call<{ data: Record<string, unknown>[] }>("POST", "/v1/query", { body: { sql } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};

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

async function run(docId: string): Promise<Run> {
  const started = await call<Data<Run>>("POST", `/v4/docs/${docId}/run`, { body: {} });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  return ended(docId, started.body.data.id);
}

async function ended(docId: string, runId: string): Promise<Run> {
  return expect
    .poll(async () => (await call<Data<Run>>("GET", `/v4/docs/${docId}/runs/${runId}`)).body.data, {
      timeout: 180_000,
      interval: 500,
    })
    .toMatchObject({ ended_at: expect.any(String) as string })
    .then(async () => (await call<Data<Run>>("GET", `/v4/docs/${docId}/runs/${runId}`)).body.data);
}

it("builds the tables of SQL and Python in one commit, which failed tests keep as they were", async () => {
  const made = await call<Data<{ id: string; version: number }>>("POST", "/v4/docs", {
    body: shop("{'id': [1, 2, 3], 'amount': [10, 0, 5]}"),
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const docId = made.body.data.id;
  const first = await run(docId);
  expect(first, JSON.stringify(first)).toMatchObject({ state: "succeeded", error: null });
  expect(await query(`SELECT * FROM LAKE.${SCHEMA}.orders ORDER BY id`)).toEqual([
    { id: 1, amount: 10 },
    { id: 3, amount: 5 },
  ]);
  expect(await query(`SELECT * FROM LAKE.${SCHEMA}.totals`)).toEqual([{ orders: 2, score: 30 }]);

  const tested = shop("{'id': [3, 4], 'amount': [6, 7]}", [{ kind: "accepted_values", column: "amount", values: [6] }]);
  await call("PUT", `/v4/docs/${docId}`, { body: tested });
  const second = await run(docId);
  expect(second).toMatchObject({ state: "failed", error: expect.stringContaining("accepted_values of amount") });
  expect(second.executions.map(({ dataset_key, state }) => [dataset_key, state])).toEqual([
    ["raw", "failed"],
    ["orders", "failed"],
    ["scored", "failed"],
    ["totals", "failed"],
  ]);
  expect(await query(`SELECT * FROM LAKE.${SCHEMA}.totals`)).toEqual([{ orders: 2, score: 30 }]);

  // The test is put right: what was read stands, and what its failure kept back goes on from there.
  await call("PUT", `/v4/docs/${docId}`, {
    body: shop("{'id': [3, 4], 'amount': [6, 7]}", [
      { kind: "accepted_values", column: "amount", values: [5, 6, 7, 10] },
    ]),
  });
  const rerun = await call<Data<Run>>("POST", `/v4/docs/${docId}/runs/${second.id}/rerun`);
  expect(rerun.status, JSON.stringify(rerun.body)).toBe(202);
  const third = await ended(docId, rerun.body.data.id);
  expect(third, JSON.stringify(third)).toMatchObject({ state: "succeeded" });
  const ran = await call<Data<{ result: { rows: number } }>>("GET", `/v4/executions/${third.executions[0]!.id}`);
  expect(ran.body.data.result.rows).toBe(2);
  const tables = await call<Data<{ items: object[] }>>("GET", `/v4/docs/${docId}/runs/${third.id}/tables`);
  expect(tables.body.data.items).toMatchObject([
    { dataset_key: "raw", sources: [], is_published: true },
    {
      dataset_key: "orders",
      sources: [{ schema: SCHEMA, name: "raw" }],
      tests: [{ state: "passed" }, { state: "passed" }],
    },
    { dataset_key: "scored", sources: [{ schema: SCHEMA, name: "orders" }] },
    { dataset_key: "totals", sources: [{ schema: SCHEMA, name: "scored" }] },
  ]);
  expect(await query(`SELECT * FROM LAKE.${SCHEMA}.orders ORDER BY id`)).toEqual([
    { id: 1, amount: 10 },
    { id: 3, amount: 6 },
    { id: 4, amount: 7 },
  ]);
}, 400_000);
