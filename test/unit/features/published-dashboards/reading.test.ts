// Published dashboards as their readers see them, with an engine that answers what a test says: what is told of one,
// who is let in, and as whom its datasets are read.

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { resolveAccess } from "../../../../src/features/access/resolve.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { addMember } from "../../../support/unit/data-access/roles.ts";
import {
  claimsOf,
  DASHBOARD,
  made,
  ORDERS_SQL,
  TILE_PAGE,
  publishDashboard,
  tokenOf,
  type PublishedDashboard,
} from "../../../support/unit/endpoints/dashboards.ts";
import { ETAG, inSeconds, publish, taggingEngine } from "../../../support/unit/endpoints/published.ts";
import { signToken, withClaims } from "../../../support/unit/endpoints/tokens.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { newTeam, scopeOf } from "../../../support/unit/team.ts";

const PATH = "/v4/published-dashboards";
const engine = taggingEngine();
let own: PublishedDashboard;
let token: string;
beforeAll(async () => {
  own = await publishDashboard(await newTeam(), { open_parameters: ["least"] });
  token = await tokenOf(own);
});
beforeEach(() => void (engine.sent.length = 0));

const read = ({ path }: { path: string }, key: string | undefined, headers = {}) =>
  callWith(engine.bindings, "GET", path, { key, headers });
const ask = ({ path }: { path: string }, key: string | undefined, dataset = "orders", query = "", headers = {}) =>
  callWith(engine.bindings, "GET", `${path}/datasets/${dataset}${query}`, { key, headers });
const post = ({ path }: { path: string }, key: string, parameters: object) =>
  callWith(engine.bindings, "POST", `${path}/datasets/orders`, { key, body: { parameters } });
const manage = (method: string, { team, id }: PublishedDashboard, more = "", body?: object) =>
  call(method, `${PATH}/${id}${more}`, { key: team.admin.key, ...(body && { body }) });
const pointers = ({ status, body }: Answer) => [
  status,
  body.error.flaws.map(({ pointer }: { pointer: string }) => pointer),
];
/** All of a refusal but the request's id and duration. */
const refusal = ({ status, headers, body }: Answer) => [
  status,
  JSON.stringify({ ...body, meta: undefined }),
  headers.get("etag"),
  headers.get("cache-control"),
  headers.get("ratelimit"),
];

describe("getDashboardDefinition", () => {
  it("tells what is drawn, and what may be sent, and nothing of what is asked or of what no tile draws", async () => {
    const answer = await read(own, token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, name: "orders", title: "Orders", version: 1 });
    const text = JSON.stringify(answer.body);
    for (const hidden of ["SELECT", "of-the-", "of-nobody", "result = 1", "hidden", own.roleId, own.secret])
      expect(text, hidden).not.toContain(hidden);
    const { filters, layout, datasets } = answer.body;
    expect(filters).toEqual([{ ...DASHBOARD.filters[0], target: { field: "country", datasets: ["orders"] } }]);
    expect(layout.columns).toBe(36);
    expect(layout.tiles.map(({ id, type }: { id: string; type: string }) => `${id} ${type}`)).toEqual([
      ...["orders table", "sum kpi", "others table", "scores table", "grown table", "note markdown", "page html"],
    ]);
    expect(datasets).toEqual({
      orders: { answers: true, parameters: { least: { type: "integer", list: false, nullable: false, default: 1 } } },
      others: { answers: true, parameters: {} },
      scores: { answers: false, parameters: {} },
      grown: { answers: false, parameters: {} },
    });
    expect(answer.body.pages).toEqual({ page: TILE_PAGE });
  });

  it("has the pages of HTML tiles as they were when it was published", async () => {
    await env.BUCKET.put(`${own.team.id}/drive/of-the-drive.html`, "<p>Another</p>");
    expect((await read(own, token)).body.pages).toEqual({ page: TILE_PAGE });
  });

  it("does not tell of a parameter that the token binds", async () => {
    const { body } = await read(own, await tokenOf(own, { least: 5 }));
    expect(body.datasets.orders.parameters).toEqual({});
  });

  it("is told unchanged to who has it, while the dashboard opens to them", async () => {
    const { headers } = await read(own, token);
    const tag = headers.get("etag")!;
    expect(headers.get("cache-control")).toBe("private, no-cache");
    const known = { "if-none-match": tag };
    expect((await read(own, token, known)).status).toBe(304);
    expect((await read(own, await tokenOf(own, { least: 2 }), known)).status).toBe(200);
    expect((await read(own, await signToken("another", claimsOf(own)), known)).status).toBe(404);
  });

  it("names the fields of charts that name them by their place, where the columns are known", async () => {
    const metric = { index: 1, aggregation: "sum" };
    const viz = { chartType: "bar", dimensions: [{ index: 0 }], metrics: [metric] };
    const cube = { engine: "cube", measures: ["orders.revenue"], dimensions: ["orders.country"] };
    const tiles = [{ id: "one", type: "chart", source: "sales", x: 0, y: 0, w: 9, h: 8, viz }];
    const doc = { ...DASHBOARD, filters: [], datasets: { sales: cube }, layout: { tiles } };
    const published = await publishDashboard(await newTeam(), { doc });
    const { body } = await read(published, await tokenOf(published));
    expect(body.layout.tiles[0].viz).toMatchObject({
      x: { field: "orders.country" },
      y: [{ field: "orders.revenue" }],
    });
  });
});

describe("getDashboardDataset", () => {
  it("reads by the dashboard's role alone, with the doc's values, the token's and the reader's", async () => {
    const bound = await tokenOf(own, { country: "SE" });
    const answer = await ask(own, bound, "orders", "?least=7");
    expect([answer.status, answer.body.data]).toEqual([200, [{ one: 1 }]]);
    const [statement] = engine.sent;
    const scope = { ...scopeOf(own.team.id, own.id, false), role: "member" as const, accessRoleId: own.roleId };
    const lakeId = statement!.target.kind === "lake" ? statement!.target.lake.lakeId : "";
    const access = await resolveAccess({ ...openClients(env), scope }, { id: lakeId });
    expect(access.kind).toBe("roles");
    expect(statement).toMatchObject({
      sql: ORDERS_SQL,
      deadlineMs: 5_000,
      target: { kind: "lake", lake: { reader: access.kind === "roles" && access.digest } },
      parameters: {
        country: { type: "inferred", isList: false, values: ["SE"] },
        least: { type: "integer", isList: false, values: ["7"] },
      },
    });
    expect(statement!.target).not.toHaveProperty("lake.writer");
    expect((await post(own, token, { least: 8 })).status).toBe(200);
    expect((await ask(own, token, "others")).status).toBe(200);
    expect(engine.sent.map(({ parameters }) => parameters)).toMatchObject([
      {},
      { country: { values: ["NO"] }, least: { values: ["8"] } },
      { day: { type: "date", values: ["2026-01-31"] } },
    ]);
  });

  it("takes no value for what the token binds, nor for what is not open", async () => {
    const bound = await tokenOf(own, { least: 5 });
    expect(pointers(await ask(own, bound, "orders", "?least=5"))).toEqual([422, ["/query/least"]]);
    expect(pointers(await post(own, bound, { least: null }))).toEqual([422, ["/parameters/least"]]);
    expect(pointers(await ask(own, token, "orders", "?country=SE"))).toEqual([422, ["/query/country"]]);
    expect(pointers(await post(own, token, { country: "SE" }))).toEqual([422, ["/parameters/country"]]);
    expect(pointers(await post(own, token, { nowhere: 1 }))).toEqual([422, ["/parameters/nowhere"]]);
    expect(pointers(await ask(own, token, "others", "?least=1"))).toEqual([422, ["/query/least"]]);
    expect(engine.sent).toEqual([]);
  });

  it("takes no value of another type than the doc's", async () => {
    for (const least of ["x", 1.5, [1], null, true, { type: "integer", value: 1 }])
      expect(pointers(await post(own, token, { least })), String(least)).toEqual([422, ["/parameters/least"]]);
    for (const country of [1, true, ["SE"], null, { type: "text", value: "SE" }])
      expect((await ask(own, await tokenOf(own, { country }))).status, String(country)).toBe(422);
    expect(engine.sent).toEqual([]);
  });

  it("refuses a token that binds what no dataset has, whatever is read", async () => {
    const wrong = await tokenOf(own, { customer: 1 });
    expect(pointers(await read(own, wrong))).toEqual([422, ["/token/parameters/customer"]]);
    expect(pointers(await ask(own, wrong, "others"))).toEqual([422, ["/token/parameters/customer"]]);
    expect(engine.sent).toEqual([]);
  });

  it("answers for no dataset that is not drawn, or that only runs compute", async () => {
    for (const key of ["hidden", "missing", "constructor", "__proto__"])
      expect((await ask(own, token, key)).status, key).toBe(404);
    for (const key of ["scores", "grown"]) expect((await ask(own, token, key)).status, key).toBe(422);
    expect(engine.sent).toEqual([]);
  });

  it("is told unchanged to who has it, and kept by nobody else", async () => {
    const known = { "if-none-match": ETAG };
    const answer = await ask(own, token);
    const kept = ["etag", "cache-control", "vary"].map((name) => answer.headers.get(name));
    expect(kept).toEqual([ETAG, "private, no-cache", expect.stringContaining("Authorization")]);
    expect((await ask(own, token, "orders", "", known)).status).toBe(304);
    expect((await ask(own, await signToken("another", claimsOf(own)), "orders", "", known)).status).toBe(404);
  });
});

describe("what does not open a published dashboard", () => {
  it("is one 404, to the byte, for team, name, token, key and lost rights", async () => {
    const { team } = own;
    const sibling = await publishDashboard(team, { name: "sibling" });
    const other = await publishDashboard(await newTeam());
    const endpoint = await publish(team, {}, "orders");
    const endpointSecret = (await made(`/v4/endpoints/${endpoint.id}/secret`, team.admin.key, {})).secret as string;
    const at = (teamId: string, name: string) => ({ path: `/v1/dashboards/${teamId}/${name}` });
    const claims = claimsOf(own);
    const { exp: _, ...endless } = claims;
    const forged: [string, string | undefined][] = [
      ["nothing", undefined],
      ["a user's key", team.admin.key],
      ["an endpoint's key", endpoint.key],
      ["an endpoint's token", await signToken(endpointSecret, claimsOf(endpoint))],
      ["a token of the endpoint's secret", await signToken(endpointSecret, claims)],
      ["an endpoint's claims by this secret", await signToken(own.secret, claimsOf(endpoint))],
      ["a sibling's token", await tokenOf(sibling)],
      ["a sibling's secret", await signToken(sibling.secret, claims)],
      ["another team's token", await tokenOf(other)],
      ["another secret", await signToken(`${own.secret}x`, claims)],
      ["no algorithm", (await signToken(own.secret, claims, { alg: "none" })).replace(/[^.]*$/, "")],
      ["other values", withClaims(await tokenOf(own, { country: "SE" }), { ...claims, parameters: { country: "NO" } })],
      ["the end", await signToken(own.secret, { ...claims, exp: inSeconds(-1) })],
      ["more than a day", await signToken(own.secret, { ...claims, exp: inSeconds(86_500) })],
      ["no end", await signToken(own.secret, endless)],
      ["another audience", await signToken(own.secret, { ...claims, aud: "portal" })],
      ["no audience", await signToken(own.secret, { ...claims, aud: undefined })],
      ["the doc's id", await signToken(own.secret, { ...claims, sub: own.docId })],
    ];
    const refused = [
      await read(at(crypto.randomUUID(), "orders"), token),
      await read(at("no-id", "orders"), token),
      await read(at(team.id, "missing"), token),
      await ask(at(team.id, "missing"), token, "orders", "?least=nonsense"),
      await read({ path: other.path }, token),
      ...(await Promise.all(forged.flatMap(([, key]) => [read(own, key), ask(own, key, "orders", "?nowhere=1")]))),
    ];
    for (const each of refused) expect(refusal(each)).toEqual(refusal(refused[0]!));
    expect(refused[0]!.status).toBe(404);
    expect(engine.sent).toEqual([]);
  });

  it("opens no endpoint and nothing else of the API, and an endpoint of the same name does not take it", async () => {
    const endpoint = await publish(own.team, {}, "beside");
    for (const path of [`/v1/endpoints/${own.team.id}/orders`, `/v1/endpoints/${own.team.id}/${endpoint.name}`])
      expect((await callWith(engine.bindings, "GET", path, { key: token })).status).toBe(404);
    const claims = { sub: endpoint.id, aud: "fjord", exp: inSeconds(600) };
    const signed = await signToken(own.secret, claims);
    const path = `/v1/endpoints/${own.team.id}/${endpoint.name}?country=NO`;
    expect((await callWith(engine.bindings, "GET", path, { key: signed })).status).toBe(404);
    for (const other of ["/v4/me", PATH, `/v4/docs/${own.docId}`])
      expect((await call("GET", other, { key: token })).status).toBe(401);
    expect(engine.sent).toEqual([]);
  });
});

describe("rights that are taken away", () => {
  const opens = async (dashboard: PublishedDashboard, key: string) => [
    (await read(dashboard, key)).status,
    (await ask(dashboard, key, "orders", "", { "if-none-match": ETAG })).status,
  ];
  const OPEN = [200, 304];
  const CLOSED = [404, 404];

  it("close it at the next call, before any tag is compared: the doc archived, the role gone, taken back", async () => {
    const team = await newTeam();
    const { key } = team.admin;
    const [one, two] = [await publishDashboard(team, { name: "one" }), await publishDashboard(team, { name: "two" })];
    const [first, second] = [await tokenOf(one), await tokenOf(two)];
    expect(await opens(one, first)).toEqual(OPEN);
    expect((await call("DELETE", `/v4/docs/${one.docId}`, { key })).status).toBe(204);
    expect(await opens(one, first)).toEqual(CLOSED);
    expect((await call("POST", `/v4/docs/${one.docId}/restore`, { key })).status).toBe(200);
    expect(await opens(one, first)).toEqual(OPEN);
    expect((await call("DELETE", `/v4/data-access/roles/${one.roleId}`, { key })).status).toBe(204);
    expect(await opens(one, first)).toEqual(CLOSED);
    expect(await opens(two, second)).toEqual(OPEN);
    expect((await manage("DELETE", two)).status).toBe(204);
    expect(await opens(two, second)).toEqual(CLOSED);
  });

  it("are the publisher's, too", async () => {
    const team = await newTeam();
    const second = await team.newMember("admin");
    const mine = await publishDashboard({ ...team, admin: second });
    const key = await tokenOf(mine);
    expect(await opens(mine, key)).toEqual(OPEN);
    const body = { role: "member" };
    expect((await call("PATCH", `/v4/users/${second.id}`, { key: team.admin.key, body })).status).toBe(200);
    expect(await opens(mine, key)).toEqual(CLOSED);
    await addMember(team, mine.roleId, second.id);
    expect(await opens(mine, key)).toEqual(OPEN);
  });

  it("end tokens that a replaced secret has signed, at once or after the overlap", async () => {
    const mine = await publishDashboard(await newTeam());
    const [first] = [await tokenOf(mine)];
    const renew = async (body: object) =>
      (await manage("POST", mine, "/secret", body)).body.data as { secret: string; previous_secret_until: string };
    const renewed = await renew({ overlap_seconds: 3_600 });
    const second = await tokenOf({ ...mine, secret: renewed.secret });
    expect(renewed.previous_secret_until).not.toBeNull();
    expect([await opens(mine, first), await opens(mine, second)]).toEqual([OPEN, OPEN]);
    const { secret } = await renew({});
    const third = await tokenOf({ ...mine, secret });
    const all = [await opens(mine, first), await opens(mine, second), await opens(mine, third)];
    expect(all).toEqual([CLOSED, CLOSED, OPEN]);
  });
});

it("has a rate for each token, and figures of what was read", async () => {
  const slow = await publishDashboard(await newTeam(), { rate_per_minute: 2 });
  const key = await tokenOf(slow);
  const statuses: number[] = [];
  // A minute may end in between, but not two.
  for (let i = 0; i < 6 && statuses.at(-1) !== 429; i++) statuses.push((await read(slow, key)).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await read(slow, await tokenOf(slow, { least: 2 }))).status).toBe(200);
  const figures = async () => (await manage("GET", slow, "/statistics")).body.data as { calls: number; errors: number };
  await expect.poll(figures, { timeout: 10_000 }).toMatchObject({ calls: statuses.length + 1, errors: 1 });
});
