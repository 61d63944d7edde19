// Published endpoints on a real lake: what a role shows, what a kept answer shows, and values that mean harm.

import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { call, newTeam, send, type QueryAnswer } from "../client.ts";

/** `HOSTILE_VALUES` of the environment makes it more. */
const VALUES = Number(process.env["HOSTILE_VALUES"] ?? "2000");
const VALUES_PER_CALL = 200;
/** The others are sent as a list. */
const SINGLE_VALUES = 50;

type Data<Body> = { data: Body };
let admin: string;
let teamId: string;
let lakeId: string;

/** Calls as the admin; fails the test where the call is refused. */
async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
  const answer = await call<Body>(method, path, { key: admin, ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}
const made = async (path: string, body: object) => (await ask<Data<Record<string, string>>>("POST", path, body)).data;

type Endpoint = { id: string; path: string; key: string; roleId: string };

async function publish(name: string, query: object, grants: object[]): Promise<Endpoint> {
  const { id: queryId } = await made("/v4/queries", { name, ...query });
  const { id: roleId } = await made("/v4/data-access/roles", { name, grants });
  const { id, path } = await made("/v4/endpoints", { name, query_id: queryId, role_id: roleId });
  const { key } = await made(`/v4/endpoints/${id}/keys`, { name: "k" });
  return { id: id!, path: path!, key: key!, roleId: roleId! };
}

beforeAll(async () => {
  ({ id: teamId, key: admin } = await newTeam("Published"));
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
const get = ({ path, key }: Endpoint, query = "", headers = {}) =>
  call<QueryAnswer>("GET", path + query, { key, headers });

it("shows no more than its role, also where the answer was kept for who reads more", async () => {
  const sql = "SELECT region, count(*) AS n FROM sales GROUP BY region ORDER BY region";
  const whole = await publish("whole", { sql }, [{ integration_id: lakeId, schema: "*" }]);
  const north = await publish("north", { sql }, [grantOf("north")]);
  for (let i = 0; i < 2; i++) {
    expect((await ask<QueryAnswer>("POST", "/v1/query", { sql })).data).toHaveLength(2);
    expect((await get(whole)).body.data).toHaveLength(2);
    const answer = await get(north);
    expect(answer.body.data).toEqual([{ region: "north", n: 25 }]);
    expect(answer.headers.get("cache-status")).toBe(i === 0 ? "Fjord; fwd=miss" : "Fjord; hit");
  }
  const [ofWhole, ofNorth] = [(await get(whole)).headers.get("etag"), (await get(north)).headers.get("etag")];
  expect(ofWhole).not.toBe(ofNorth);
  expect((await get(north, "", { "if-none-match": ofWhole! })).body.data).toEqual([{ region: "north", n: 25 }]);
});

it("is told unchanged until a table that it reads changes, or what its role shows", async () => {
  const parameters = { least: { type: "integer", default: 0 } };
  const sql = "SELECT count(*) AS n FROM sales WHERE id >= $least";
  const endpoint = await publish("counted", { sql, parameters }, [grantOf("north")]);
  const first = await get(endpoint);
  const etag = first.headers.get("etag")!;
  expect([first.body.data, first.headers.get("cache-control")]).toEqual([[{ n: 25 }], "private, no-cache"]);
  const asked = async (query = "") => {
    const response = await send("GET", endpoint.path + query, {
      key: endpoint.key,
      headers: { "if-none-match": etag },
    });
    return [response.status, await response.text().then((text) => text.length > 0)];
  };
  expect(await asked()).toEqual([304, false]);
  expect(await asked("?least=0")).toEqual([304, false]);
  expect(await asked("?least=1")).toEqual([200, true]);
  await ask("POST", "/v1/query", { sql: "CREATE TABLE unrelated AS SELECT 1 AS a" });
  expect(await asked()).toEqual([304, false]);
  await ask("POST", "/v1/query", { sql: "INSERT INTO sales VALUES (100, 'north')" });
  expect(await asked()).toEqual([200, true]);
  expect((await get(endpoint)).body.data).toEqual([{ n: 26 }]);
  await ask("PATCH", `/v4/data-access/roles/${endpoint.roleId}`, { grants: [grantOf("south")] });
  expect((await get(endpoint)).body.data).toEqual([{ n: 75 }]);
});

it("has no tag where the tables do not decide the answer", async () => {
  const endpoint = await publish("chance", { sql: "SELECT random() AS r" }, [grantOf("north")]);
  const { status, headers } = await get(endpoint, "", { "if-none-match": "*" });
  expect([status, headers.get("etag"), headers.get("cache-control")]).toEqual([200, null, "no-store"]);
});

it("writes nothing, whatever its publisher may", async () => {
  const endpoint = await publish("trap", { sql: "CREATE TABLE trapped AS SELECT 1 AS a" }, [
    { integration_id: lakeId, schema: "*" },
  ]);
  expect((await get(endpoint)).status).toBe(403);
  const sql = "SELECT count(*) AS n FROM information_schema.tables WHERE table_name = 'trapped'";
  expect((await ask<QueryAnswer>("POST", "/v1/query", { sql })).data).toEqual([{ n: 0 }]);
});

const NASTY = [
  "'",
  '"',
  ";",
  "--",
  "/*",
  "*/",
  "$1",
  "$v0",
  "$$",
  "\\",
  "\0",
  "\n",
  "%",
  "_",
  "NULL",
  "DROP TABLE sales",
  "') OR 1=1 --",
  "é",
  "\u{1F600}",
  "\u202e",
];
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.array(fc.constantFrom(...NASTY), { minLength: 1, maxLength: 8 }).map((parts) => parts.join("")),
);

it("takes every hostile value for data, sent one by one or as a list", { timeout: 600_000 }, async () => {
  const names = Array.from({ length: SINGLE_VALUES }, (_, i) => `v${i}`);
  const sql = `SELECT ${names.map((name) => `$${name} AS ${name}`).join(", ")}, [$rest] AS rest, (SELECT count(*) FROM sales) AS n`;
  const parameters = {
    ...Object.fromEntries(names.map((name) => [name, { type: "text" }])),
    rest: { type: "text", list: true },
  };
  const endpoint = await publish("hostile", { sql, parameters }, [grantOf("north")]);
  const rows = Number(
    (await ask<QueryAnswer>("POST", "/v1/query", { sql: "SELECT count(*) AS n FROM sales WHERE region = 'north'" }))
      .data[0]!["n"],
  );
  const texts = fc.array(hostile, { minLength: VALUES_PER_CALL, maxLength: VALUES_PER_CALL });
  const sends = fc.asyncProperty(texts, async (values) => {
    const sent = Object.fromEntries(names.map((name, i) => [name, values[i]]));
    const rest = values.slice(SINGLE_VALUES);
    const body = { parameters: { ...sent, rest } };
    const answer = await call<QueryAnswer>("POST", endpoint.path, { key: endpoint.key, body });
    expect([answer.status, answer.body.data]).toEqual([200, [{ ...sent, rest, n: rows }]]);
  });
  await fc.assert(sends, { numRuns: Math.ceil(VALUES / VALUES_PER_CALL), endOnFailure: true });
});

it("answers nobody of a team that is not its own", async () => {
  const path = `/v1/endpoints/${teamId}/whole`;
  const mine = await call("GET", path, { key: admin });
  const nowhere = await call("GET", `/v1/endpoints/${randomUUID()}/whole`, { key: admin });
  const bare = ({ status, body }: typeof mine) => [status, { ...body, meta: undefined }];
  expect(bare(mine)).toEqual(bare(nowhere));
  expect(mine.status).toBe(404);
});
