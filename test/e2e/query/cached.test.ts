// A lake statement that is asked again: what its answer says, and who gets it.

import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { call, newTeam, send, type QueryAnswer } from "../client.ts";

const MARK = randomUUID().slice(0, 8);
const HIT = "Fjord; hit";

type Kept = QueryAnswer & {
  meta: { requestId: string; cachedAt?: string };
  timing: { phases: Record<string, number> };
};

let admin: string;
let member: string;

/** Calls as the admin; fails the test where the call is refused. */
async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
  const answer = await call<Body>(method, path, { key: admin, ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

beforeAll(async () => {
  admin = (await newTeam("Kept")).key;
  type Integrations = { data: { id: string; type: string }[] };
  const { data: integrations } = await ask<Integrations>("GET", "/v1/api/integrations");
  const lake = integrations.find(({ type }) => type === "lake")!;
  for (const sql of [
    "CREATE TABLE sales AS SELECT range AS id, CASE WHEN range % 4 = 0 THEN 'north' ELSE 'south' END AS region FROM range(100)",
    "CREATE TABLE other AS SELECT 1 AS a",
  ])
    await ask("POST", "/v1/query", { sql });
  const bob = { name: "Bob", email: `bob@${MARK}.example`, role: "member" };
  const { data: user } = await ask<{ data: { id: string } }>("POST", "/v4/users", bob);
  member = (await ask<{ data: { key: string } }>("POST", `/v4/users/${user.id}/keys`, { name: "k" })).data.key;
  const filters = [{ member: "region", operator: "equals", values: ["north"] }];
  const grants = [{ integration_id: lake.id, schema: "main", table: "sales", filters }];
  const role = await ask<{ data: { id: string } }>("POST", "/v4/data-access/roles", { name: "north", grants });
  await ask("PUT", `/v4/data-access/roles/${role.data.id}/members/${user.id}`);
});

async function query(sql: string, more: object = {}, key = admin): Promise<Kept & { status: string; age: string }> {
  const { status, headers, body } = await call<Kept>("POST", "/v1/query", { key, body: { sql, ...more } });
  expect(status, JSON.stringify(body)).toBe(200);
  return { ...body, status: headers.get("cache-status") ?? "none", age: headers.get("age") ?? "none" };
}

async function csv(sql: string): Promise<{ text: string; status: string | null; timing: string | null }> {
  const response = await send("POST", "/v1/query", { key: admin, body: { sql }, headers: { accept: "text/csv" } });
  const { headers } = response;
  return { text: await response.text(), status: headers.get("cache-status"), timing: headers.get("server-timing") };
}

it("is answered without running, and says so, and since when", async () => {
  const sql = "SELECT region, count(*) AS n FROM sales GROUP BY region ORDER BY region";
  const before = Date.now();
  const first = await query(sql);
  expect(first).toMatchObject({ status: "Fjord; fwd=miss", age: "none" });
  expect(first.data).toEqual([
    { region: "north", n: 25 },
    { region: "south", n: 75 },
  ]);
  expect(first.meta.cachedAt).toBeUndefined();
  for (const phase of ["authenticate", "prepare", "run"]) expect(first.timing.phases).toHaveProperty(phase);

  const again = await query(sql);
  expect(again).toMatchObject({ status: HIT, age: expect.stringMatching(/^\d+$/) as string, rowCount: 2 });
  expect([again.data, again.columns, again.types]).toEqual([first.data, first.columns, first.types]);
  expect(again.meta.requestId).not.toBe(first.meta.requestId);
  const cachedAt = Date.parse(again.meta.cachedAt!);
  expect(cachedAt).toBeGreaterThanOrEqual(before);
  expect(cachedAt).toBeLessThanOrEqual(Date.now());
  expect(Number(again.age)).toBeLessThanOrEqual((Date.now() - cachedAt) / 1_000);
  expect(again.timing.phases).not.toHaveProperty("run");
});

it("is answered to the byte in a format without a place for words about it", async () => {
  const sql = "SELECT * FROM sales ORDER BY id LIMIT 20";
  const first = await csv(sql);
  const again = await csv(sql);
  expect(first.status).toBe("Fjord; fwd=miss");
  expect(again).toMatchObject({ status: HIT, text: first.text });
  expect(again.timing).not.toContain("run;");
});

it("runs where its sender says so, and is kept anew from then on", async () => {
  const sql = "SELECT max(id) AS last FROM sales";
  const first = await query(sql);
  const kept = (await query(sql)).meta.cachedAt!;
  const forced = await query(sql, { invalidate: true });
  expect(forced).toMatchObject({ status: "Fjord; fwd=request", age: "none", data: first.data });
  expect(forced.meta.cachedAt).toBeUndefined();
  const again = await query(sql);
  expect(again.status).toBe(HIT);
  expect(Date.parse(again.meta.cachedAt!)).toBeGreaterThan(Date.parse(kept));
});

it("sees each change of its tables, and keeps through those of others", async () => {
  const sql = "SELECT sum(id) AS s FROM sales WHERE id >= 1000";
  expect((await query(sql)).data).toEqual([{ s: null }]);
  await ask("POST", "/v1/query", { sql: "INSERT INTO other VALUES (2)" });
  expect((await query(sql)).status).toBe(HIT);
  await ask("POST", "/v1/query", { sql: "INSERT INTO sales VALUES (1000, 'south')" });
  expect(await query(sql)).toMatchObject({ status: "Fjord; fwd=stale", data: [{ s: 1_000 }] });
  await ask("POST", "/v1/query", { sql: "DELETE FROM sales WHERE id = 1000" });
  expect(await query(sql)).toMatchObject({ status: "Fjord; fwd=stale", data: [{ s: null }] });
});

it("is nobody's with other rights", async () => {
  const sql = "SELECT count(*) AS n, min(region) AS least, max(region) AS most FROM sales";
  const whole = [{ n: 100, least: "north", most: "south" }];
  const part = [{ n: 25, least: "north", most: "north" }];
  expect(await query(sql)).toMatchObject({ status: "Fjord; fwd=miss", data: whole });
  expect(await query(sql, {}, member)).toMatchObject({ status: "Fjord; fwd=miss", data: part });
  expect(await query(sql, {}, member)).toMatchObject({ status: HIT, data: part });
  expect(await query(sql)).toMatchObject({ status: HIT, data: whole });
});

it("is not kept where it could mean something else", async () => {
  for (let i = 0; i < 2; i++) expect((await query("SELECT now() AS t")).status).toBe("Fjord; fwd=bypass");
});
