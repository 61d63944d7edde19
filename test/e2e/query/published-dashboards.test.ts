// Published dashboards on a real lake: what a role shows through each dataset, also from kept answers, and what a
// token's values narrow.

import { createHmac } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { call, newTeam, send, type QueryAnswer } from "../client.ts";

type Data<Body> = { data: Body };
let admin: string;
let lakeId: string;

/** Calls as the admin; fails the test where the call is refused. */
async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
  const answer = await call<Body>(method, path, { key: admin, ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}
const made = async (path: string, body: object) => (await ask<Data<Record<string, string>>>("POST", path, body)).data;

const ORDERS = "SELECT region, count(*) AS n FROM sales WHERE id >= $least GROUP BY region ORDER BY region";
const docOf = (more: object = {}) => ({
  version: 1,
  kind: "dashboard",
  metadata: { name: "Sales" },
  datasets: {
    orders: { engine: "sql", sql: ORDERS, parameters: { least: 0 } },
    trap: { engine: "sql", sql: "CREATE TABLE trapped AS SELECT 1 AS a" },
    ...more,
  },
  layout: {
    tiles: [
      { id: "orders", type: "table", source: "orders", x: 0, y: 0, w: 9, h: 8 },
      { id: "trap", type: "table", source: "trap", x: 9, y: 0, w: 9, h: 8 },
    ],
  },
});

type Dashboard = { id: string; path: string; secret: string; docId: string; roleId: string };

async function publish(name: string, grants: object[]): Promise<Dashboard> {
  const { id: docId } = await made("/v4/docs", docOf());
  const { id: roleId } = await made("/v4/data-access/roles", { name, grants });
  const body = { name, doc_id: docId, role_id: roleId, open_parameters: ["least"] };
  const { id, path } = await made("/v4/published-dashboards", body);
  const { secret } = await made(`/v4/published-dashboards/${id}/secret`, {});
  return { id: id!, path: path!, secret: secret!, docId: docId!, roleId: roleId! };
}

/** As an application signs one, without anything of ours. */
function tokenOf({ id, secret }: Dashboard, more: object = {}): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { sub: id, aud: "fjord", exp: Math.floor(Date.now() / 1_000) + 600, ...more };
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

const read = ({ path }: Dashboard, key: string, query = "", headers = {}) =>
  call<QueryAnswer>("GET", `${path}/datasets/orders${query}`, { key, headers });

beforeAll(async () => {
  admin = (await newTeam("Shown")).key;
  const { data } = await ask<Data<{ id: string; type: string }[]>>("GET", "/v1/api/integrations");
  lakeId = data.find(({ type }) => type === "lake")!.id;
  await ask("POST", "/v1/query", {
    sql: "CREATE TABLE sales AS SELECT range AS id, CASE WHEN range % 4 = 0 THEN 'north' ELSE 'south' END AS region FROM range(100)",
  });
});

const grantOf = (...regions: string[]) => ({
  integration_id: lakeId,
  schema: "main",
  table: "sales",
  filters: [{ member: "region", operator: "equals", values: regions }],
});

it("shows no more than its role, also where the answer was kept for who reads more", async () => {
  const whole = await publish("whole", [{ integration_id: lakeId, schema: "*" }]);
  const north = await publish("north", [grantOf("north")]);
  const [ofWhole, ofNorth] = [tokenOf(whole), tokenOf(north)];
  for (let i = 0; i < 2; i++) {
    const own = await ask<QueryAnswer>("POST", "/v1/query", { sql: ORDERS, parameters: { least: 0 } });
    expect(own.data).toHaveLength(2);
    expect((await read(whole, ofWhole)).body.data).toHaveLength(2);
    const answer = await read(north, ofNorth);
    expect(answer.body.data).toEqual([{ region: "north", n: 25 }]);
    expect(answer.headers.get("cache-status")).toBe(i === 0 ? "Fjord; fwd=miss" : "Fjord; hit");
  }
  const tag = (await read(whole, ofWhole)).headers.get("etag")!;
  expect((await read(north, ofNorth, "", { "if-none-match": tag })).body.data).toEqual([{ region: "north", n: 25 }]);
  expect((await read(north, ofWhole, "", { "if-none-match": tag })).status).toBe(404);
});

it("is told unchanged until a table that is read changes, what its role shows, or its doc is archived", async () => {
  const dashboard = await publish("told", [grantOf("north")]);
  const key = tokenOf(dashboard);
  const { headers } = await read(dashboard, key);
  const etag = headers.get("etag")!;
  expect(headers.get("cache-control")).toBe("private, no-cache");
  const status = async (query = "") => {
    const known = { key, headers: { "if-none-match": etag } };
    return (await send("GET", `${dashboard.path}/datasets/orders${query}`, known)).status;
  };
  expect([await status(), await status("?least=0"), await status("?least=1")]).toEqual([304, 304, 200]);
  await ask("POST", "/v1/query", { sql: "INSERT INTO sales VALUES (100, 'north')" });
  expect(await status()).toBe(200);
  expect((await read(dashboard, key)).body.data).toEqual([{ region: "north", n: 26 }]);
  await ask("PATCH", `/v4/data-access/roles/${dashboard.roleId}`, { grants: [grantOf("south")] });
  expect((await read(dashboard, key)).body.data).toEqual([{ region: "south", n: 75 }]);
  expect((await call("DELETE", `/v4/docs/${dashboard.docId}`, { key: admin })).status).toBe(204);
  expect(await status()).toBe(404);
});

it("reads what a token binds, whatever the request says, and goes on with its version of the doc", async () => {
  const dashboard = await publish("bound", [{ integration_id: lakeId, schema: "*" }]);
  const bound = tokenOf(dashboard, { parameters: { least: 96 } });
  const rows = [
    { region: "north", n: 2 },
    { region: "south", n: 3 },
  ];
  expect((await read(dashboard, bound)).body.data).toEqual(rows);
  expect((await read(dashboard, bound, "?least=0")).status).toBe(422);
  const hostile = "0 OR true); DROP TABLE sales; --";
  expect((await read(dashboard, tokenOf(dashboard, { parameters: { least: hostile } }))).status).toBe(422);
  const changed = docOf({
    orders: { engine: "sql", sql: "SELECT $least AS leaked FROM sales", parameters: { least: 0 } },
  });
  await ask("PUT", `/v4/docs/${dashboard.docId}`, changed);
  expect((await read(dashboard, bound)).body.data).toEqual(rows);
});

it("writes nothing, whatever its publisher may", async () => {
  const dashboard = await publish("trap", [{ integration_id: lakeId, schema: "*" }]);
  const answer = await call("GET", `${dashboard.path}/datasets/trap`, { key: tokenOf(dashboard) });
  expect(answer.status).toBe(403);
  const sql = "SELECT count(*) AS n FROM information_schema.tables WHERE table_name = 'trapped'";
  expect((await ask<QueryAnswer>("POST", "/v1/query", { sql })).data).toEqual([{ n: 0 }]);
});
