import { expect, it } from "vitest";
import { call, query, rowsOf } from "./client.ts";

const id = crypto.randomUUID().slice(0, 8);
const schema = `LAKE.w_${id}`;
const table = `${schema}.t`;

async function count(sql: string): Promise<unknown> {
  const { status, body } = await query(sql);
  expect([sql, status, body.message]).toEqual([sql, 200, undefined]);
  return body.data[0]?.count;
}

async function memberKey(): Promise<string> {
  const user = await call<{ data: { id: string } }>("POST", "/v4/users", {
    body: { name: "Member", email: `m-${id}@example.com`, role: "member" },
  });
  expect(user.status, JSON.stringify(user.body)).toBe(201);
  const key = await call<{ data: { key: string } }>("POST", `/v4/users/${user.body.data.id}/keys`, {
    body: { name: "test", expires_at: null },
  });
  expect(key.status, JSON.stringify(key.body)).toBe(201);
  return key.body.data.key;
}

it("does every kind of statement that writes, through the whole platform", async () => {
  await count(`CREATE SCHEMA ${schema}`);
  expect(
    await count(
      `CREATE TABLE ${table} AS SELECT customer_id AS id, 'c' || customer_id AS name FROM LAKE.sample.customers WHERE customer_id <= 100`,
    ),
  ).toBe(100);
  expect(await count(`INSERT INTO ${table} (name, id) VALUES ('x', 1000), (NULL, 1001)`)).toBe(2);
  expect(await count(`DELETE FROM ${table} WHERE id BETWEEN 11 AND 100`)).toBe(90);
  expect(
    await count(
      `UPDATE ${table} AS t SET name = upper(t.name) FROM LAKE.sample.customers AS c WHERE c.customer_id = t.id`,
    ),
  ).toBe(12);
  expect(
    await count(
      `MERGE INTO ${table} USING (SELECT range AS id, 'm' AS name FROM range(10, 12)) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *  WHEN NOT MATCHED BY SOURCE AND t.name IS NULL THEN DELETE`,
    ),
  ).toBe(3);
  expect(await rowsOf(`SELECT * FROM ${table} WHERE id > 8 ORDER BY id`)).toEqual([
    { id: 9, name: "C9" },
    { id: 10, name: "m" },
    { id: 11, name: "m" },
    { id: 1000, name: "X" },
  ]);
  await count(`ALTER TABLE ${table} ADD COLUMN extra DECIMAL(10,2)`);
  await count(`ALTER TABLE ${table} RENAME COLUMN name TO word`);
  expect(await count(`UPDATE ${table} SET extra = 1.25 WHERE id = 9`)).toBe(1);
  expect(await rowsOf(`SELECT * FROM ${table} WHERE id = 9`)).toEqual([{ id: 9, word: "C9", extra: 1.25 }]);
  await count(`ALTER TABLE ${table} DROP COLUMN word`);
  expect(await count(`CREATE OR REPLACE TABLE ${schema}.u AS SELECT * FROM ${table}`)).toBe(12);
  expect(await count(`TRUNCATE ${schema}.u`)).toBe(12);
  await count(`DROP TABLE ${schema}.u`);
});

it("reads what was, and names in the timeline who did it", async () => {
  const integration = (
    await call<{ data: { id: string; type: string }[] }>("GET", "/v1/api/integrations")
  ).body.data.find(({ type }) => type === "lake")!;
  const { body } = await call<{ data: { items: { snapshot_id: number; author: string; message: string }[] } }>(
    "GET",
    `/v4/catalog/integrations/${integration.id}/tables/w_${id}/t/snapshots`,
  );
  const items = body.data.items;
  const inserted = items.find(({ message }) => message?.startsWith("INSERT INTO"))!;
  expect(inserted.author, JSON.stringify(inserted)).not.toBe("");
  expect(
    await rowsOf(
      `SELECT count(*) AS then, (SELECT count(*) FROM ${table}) AS now FROM ${table} AT (VERSION => ${inserted.snapshot_id})`,
    ),
  ).toEqual([{ then: 102, now: 12 }]);
  expect((await query(`SELECT * FROM ${table} AT (VERSION => 999999)`)).status).toBe(400);
});

it("refuses who may only read, and answers a repeated request with what it did", async () => {
  const refused = await query(`DELETE FROM ${table}`, {}, { key: await memberKey() });
  expect(refused, JSON.stringify(refused.body)).toMatchObject({
    status: 403,
    body: { error: { code: "forbidden_insufficient_permissions" } },
  });
  const headers = { "x-request-id": crypto.randomUUID() };
  expect((await query(`INSERT INTO ${table} (id) VALUES (5000)`, {}, { headers })).status).toBe(200);
  expect(await query(`INSERT INTO ${table} (id) VALUES (5000)`, {}, { headers })).toMatchObject({
    status: 409,
    body: { error: { code: "write_committed" } },
  });
  expect(await rowsOf(`SELECT count(*) AS n FROM ${table} WHERE id = 5000`)).toEqual([{ n: 1 }]);
  await count(`DROP SCHEMA ${schema} CASCADE`);
});
