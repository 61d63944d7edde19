// The filters of a published dashboard: what its readers may set, and what their tokens do.

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callWith } from "../../../support/unit/call-with.ts";
import {
  claimsOf,
  publishDashboard,
  tokenOf,
  type PublishedDashboard,
} from "../../../support/unit/endpoints/dashboards.ts";
import { ETAG, publish, taggingEngine } from "../../../support/unit/endpoints/published.ts";
import { signToken } from "../../../support/unit/endpoints/tokens.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

const DOC = {
  version: 1,
  kind: "dashboard",
  metadata: { name: "Filtered" },
  filters: [
    {
      id: "country",
      type: "select",
      values: ["NO", "SE"],
      target: { field: "country", datasets: ["plain"] },
      default: "NO",
    },
    { id: "customer", display: "hidden", target: { dimension: "orders.customer", datasets: ["cube"] } },
    { id: "bound", type: "number", target: { field: "n", datasets: ["undrawn"] } },
    { id: "period", type: "dateRange", target: { field: "at", datasets: ["until"] } },
    { id: "odd", display: "Hidden", target: { field: "m", datasets: ["plain"] } },
    { id: "idle", target: { field: "n", datasets: ["code"] } },
  ],
  datasets: {
    plain: { engine: "sql", sql: "SELECT * FROM orders" },
    own: { engine: "sql", sql: "SELECT $n AS n", parameters: { n: { type: "integer", filter: "bound" } } },
    until: {
      engine: "sql",
      sql: "SELECT $to AS day",
      parameters: { to: { type: "date", filter: "period", part: "to" } },
    },
    cube: { engine: "cube", measures: ["orders.count"] },
    same: { engine: "sql", sql: "SELECT $n AS n", parameters: { n: 7 } },
    undrawn: { engine: "sql", sql: "SELECT 1 AS n" },
    code: { engine: "python", code: "result = 1" },
  },
  layout: {
    tiles: ["plain", "own", "same", "until", "cube", "code"].map((source, i) => ({
      ...{ id: source, x: 0, y: i * 4, w: 9, h: 4, type: "table", source },
    })),
  },
};
const MODEL = `
cubes:
  - name: orders
    sql: "SELECT 1 AS id, 'a' AS customer"
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: customer, sql: customer, type: string }
    measures: [{ name: count, type: count }]
`;

const engine = taggingEngine();
let own: PublishedDashboard;
beforeAll(async () => {
  const team = await newTeam();
  const { key } = team.admin;
  const { data } = (await call("GET", "/v1/api/integrations", { key })).body;
  const integration = { type: "cube", name: "Model", credentials: { integration_id: data[0].id } };
  const cube = await call("POST", "/v1/api/integrations", { key, body: integration });
  expect(cube.status, JSON.stringify(cube.body)).toBe(201);
  const files = [{ path: "orders.yml", content: MODEL }];
  const model = `/v1/api/integrations/${cube.body.integration.id}/model`;
  expect((await call("PUT", model, { key, body: { files } })).status).toBe(200);
  own = await publishDashboard(team, { doc: DOC });
});
beforeEach(() => void (engine.sent.length = 0));

const binding = (filters: object) => signToken(own.secret, claimsOf(own, { filters }));
const ask = (dataset: string, key: string, filters: object = {}, headers = {}) =>
  callWith(engine.bindings, "POST", `${own.path}/datasets/${dataset}`, { key, headers, body: { filters } });
const pointers = ({ status, body }: Answer) => [
  status,
  body.error.flaws.map(({ pointer }: { pointer: string }) => pointer),
];
const valuesOf = (at = 0) => Object.values(engine.sent[at]?.parameters ?? {}).map(({ values }) => values);

describe("the filters of a published dashboard", () => {
  it("are told to readers as far as they may set them", async () => {
    const idsFor = async (key: string) => {
      const { body } = await callWith(engine.bindings, "GET", own.path, { key });
      return body.filters.map(({ id }: { id: string }) => id);
    };
    expect(await idsFor(await tokenOf(own))).toEqual(["country", "bound", "period", "idle"]);
    expect(await idsFor(await binding({ country: "SE" }))).toEqual(["bound", "period", "idle"]);
  });

  it("have the reader's values, and defaults for the rest", async () => {
    const token = await tokenOf(own);
    expect((await ask("plain", token)).status).toBe(200);
    expect((await ask("plain", token, { country: "SE", bound: 5 })).status).toBe(200);
    expect((await ask("own", token, { bound: "5" })).status).toBe(200);
    expect((await ask("own", token)).status).toBe(200);
    expect([0, 1, 2, 3].map(valuesOf)).toEqual([[["NO"]], [["SE"]], [["5"]], [[null]]]);
    const got = await callWith(engine.bindings, "GET", `${own.path}/datasets/plain`, { key: token });
    expect([got.status, valuesOf(4)]).toEqual([200, [["NO"]]]);
  });

  it("can't be set where they are hidden or the token binds them, whatever is asked", async () => {
    const bound = await binding({ country: "SE", customer: "a" });
    for (const country of ["NO", "SE", null])
      expect(pointers(await ask("plain", bound, { country })), String(country)).toEqual([422, ["/filters/country"]]);
    expect(pointers(await ask("cube", bound, { customer: "b" }))).toEqual([422, ["/filters/customer"]]);
    expect(pointers(await ask("cube", await tokenOf(own), { customer: "b" }))).toEqual([422, ["/filters/customer"]]);
    expect(pointers(await ask("plain", await tokenOf(own), { odd: "x" }))).toEqual([422, ["/filters/odd"]]);
    expect(engine.sent).toEqual([]);
    expect((await ask("plain", bound)).status).toBe(200);
    expect(valuesOf()).toEqual([["SE"]]);
  });

  it("narrow semantic queries by what the token binds", async () => {
    expect((await ask("cube", await binding({ customer: ["a", "x' OR true --"] }))).status).toBe(200);
    const [query] = engine.sent[0]?.semantic?.queries ?? [];
    const values = ["a", "x' OR true --"];
    expect(query?.query.filters).toEqual([{ member: "orders.customer", operator: "equals", values }]);
  });

  it("refuse a token that binds one that is not there, that no dataset takes, or to nothing", async () => {
    for (const id of ["nowhere", "idle"])
      expect(pointers(await ask("plain", await binding({ [id]: "x" })))).toEqual([422, [`/token/filters/${id}`]]);
    for (const customer of [null, [], [null]])
      expect(pointers(await ask("cube", await binding({ customer })))).toEqual([422, ["/filters/customer"]]);
    expect(pointers(await ask("plain", await binding({ country: "DK" })))).toEqual([422, ["/filters/country"]]);
    expect((await ask("plain", await binding([]))).status).toBe(404);
    expect(engine.sent).toEqual([]);
  });

  it("refuse a token that binds a parameter which has the value of a filter elsewhere, but for one that binds both", async () => {
    const parameters = { n: 5 };
    const alone = await signToken(own.secret, claimsOf(own, { parameters }));
    for (const key of ["own", "same"]) expect(pointers(await ask(key, alone))).toEqual([422, ["/token/parameters/n"]]);
    const both = await signToken(own.secret, claimsOf(own, { parameters, filters: { bound: 6 } }));
    expect((await ask("own", both)).status).toBe(200);
    expect((await ask("same", both)).status).toBe(200);
    expect([0, 1].map(valuesOf)).toEqual([[["6"]], [["5"]]]);
  });

  it("refuse a token's range where the SQL has not each of its ends", async () => {
    const until = async (period: object) => ask("until", await binding({ period }));
    for (const period of [{ from: "2026-01-01" }, { from: "2026-01-01", to: "2026-01-31" }])
      expect(pointers(await until(period))).toEqual([422, ["/filters/period"]]);
    expect(engine.sent).toEqual([]);
    expect((await until({ to: "2026-01-31" })).status).toBe(200);
    expect((await ask("until", await tokenOf(own), { period: { from: "2026-01-01" } })).status).toBe(200);
    expect([0, 1].map(valuesOf)).toEqual([[["2026-01-31"]], [[null]]]);
  });

  it("are part of what a tag is compared for", async () => {
    const known = { "if-none-match": ETAG };
    expect((await ask("plain", await tokenOf(own), { country: "SE" }, known)).status).toBe(304);
    expect(engine.sent[0]).toMatchObject({ ifNoneMatch: [ETAG], parameters: { fjord_filter_1: { values: ["SE"] } } });
  });

  it("are nothing that an endpoint has: its token binds none", async () => {
    const endpoint = await publish(own.team, {}, "beside");
    const secret = await call("POST", `/v4/endpoints/${endpoint.id}/secret`, { key: own.team.admin.key, body: {} });
    const claims = claimsOf(endpoint, { parameters: { country: "NO" }, filters: { customer: "a" } });
    const key = await signToken(secret.body.data.secret, claims);
    const path = `/v1/endpoints/${own.team.id}/${endpoint.name}`;
    expect(pointers(await callWith(engine.bindings, "GET", path, { key }))).toEqual([422, ["/token/filters/customer"]]);
    expect(engine.sent).toEqual([]);
  });
});
