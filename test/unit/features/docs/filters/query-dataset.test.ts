// Datasets of docs that are asked under filters: by real databases, and by an engine that says what it was sent.

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { refusesStrangers } from "../../../../support/unit/access.ts";
import { callWith } from "../../../../support/unit/call-with.ts";
import { addRole } from "../../../../support/unit/data-access/roles.ts";
import { addPostgres } from "../../../../support/unit/databases.ts";
import { GRANTS, taggingEngine } from "../../../../support/unit/endpoints/published.ts";
import { call, type Answer } from "../../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

const MODEL = `
cubes:
  - name: orders
    sql: >
      select * from (values
        (1, 'NO', timestamp '2026-01-31 10:00:00'), (2, 'NO', timestamp '2026-02-01 23:30:00'),
        (3, 'SE', timestamp '2026-02-02 00:00:00')) as o (id, country, at)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: country, sql: country, type: string }
      - { name: at, sql: at, type: time }
    measures: [{ name: count, type: count }]
`;
const ROWS = "(VALUES (1, 'NO', DATE '2026-01-31'), (2, 'NO', DATE '2026-02-01'), (3, 'SE', DATE '2026-02-02'))";
const BOUND = `SELECT id FROM ${ROWS} AS o (id, country, day)
WHERE (coalesce($countries) IS NULL OR country IN ($countries))
  AND ($from IS NULL OR day >= $from) AND ($to IS NULL OR day <= $to) ORDER BY id`;

const docOf = (postgres: string, cube: string) => ({
  version: 1,
  kind: "dashboard",
  metadata: { name: "Filtered" },
  filters: [
    { id: "country", type: "multiSelect", target: { dimension: "orders.country" }, default: "NO" },
    { id: "period", type: "dateRange", target: { dimension: "orders.at" } },
    { id: "status", type: "select", values: ["open", "paid"], target: { field: "status", datasets: ["lake"] } },
  ],
  datasets: {
    bound: {
      ...{ engine: "sql", sql: BOUND, integrationId: postgres },
      parameters: {
        countries: { type: "text", filter: "country", list: true },
        from: { type: "date", filter: "period", part: "from" },
        to: { type: "date", filter: "period", part: "to" },
      },
    },
    cube: { engine: "cube", measures: ["orders.count"], integrationId: cube },
    lake: { engine: "sql", sql: "SELECT * FROM sales.orders", timeoutMs: 5_000 },
    code: { engine: "python", code: "result = 1" },
  },
  layout: {
    tiles: ["bound", "cube", "lake", "code"].map((source, i) => ({
      ...{ id: source, x: 0, y: i * 4, w: 9, h: 4, type: "table", source },
    })),
  },
});

const engine = taggingEngine();
let team: TestTeam;
let path: string;
beforeAll(async () => {
  team = await newTeam();
  const { key } = team.admin;
  const postgres = await addPostgres(team, { database: "shop" });
  const integration = { type: "cube", name: "Shop", credentials: { integration_id: postgres } };
  const cube = (await call("POST", "/v1/api/integrations", { key, body: integration })).body.integration.id;
  const files = [{ path: "shop.yml", content: MODEL }];
  expect((await call("PUT", `/v1/api/integrations/${cube}/model`, { key, body: { files } })).status).toBe(200);
  const { status, body } = await call("POST", "/v4/docs", { key, body: docOf(postgres, cube) });
  expect(status, JSON.stringify(body)).toBe(201);
  path = `/v4/docs/${body.data.id}`;
});
beforeEach(() => void (engine.sent.length = 0));

const ask = (dataset: string, filters?: object, key = team.member.key) =>
  call("POST", `${path}/datasets/${dataset}/query`, { key, ...(filters && { body: { filters } }) });
const askLake = (filters: object, key = team.member.key) =>
  callWith(engine.bindings, "POST", `${path}/datasets/lake/query`, { key, body: { filters } });
const ids = ({ body }: Answer) => body.data.map(({ id }: { id: number }) => id);
const pointers = ({ status, body }: Answer) => [
  status,
  body.error.flaws.map(({ pointer }: { pointer: string }) => pointer),
];

refusesStrangers("queryDataset", (key) => call("POST", `/v4/docs/${crypto.randomUUID()}/datasets/one/query`, { key }), {
  right: "query",
});

describe("queryDataset", () => {
  it("binds filters to parameters, with defaults of those that are not sent and NULL for those that are not set", async () => {
    expect(ids(await ask("bound"))).toEqual([1, 2]);
    expect(ids(await ask("bound", { country: null }))).toEqual([1, 2, 3]);
    expect(ids(await ask("bound", { country: ["NO", "SE"], period: { from: "2026-02-01" } }))).toEqual([2, 3]);
    expect(ids(await ask("bound", { country: [], period: { to: "2026-02-01" } }))).toEqual([1, 2]);
  });

  it("takes hostile values for data", async () => {
    for (const hostile of ["NO' OR '1'='1", "$from", "') OR true --", "NO\\"])
      expect(ids(await ask("bound", { country: [hostile] })), hostile).toEqual([]);
    for (const hostile of ["NO' OR '1'='1", "{parameter: country}", "%"])
      expect((await ask("cube", { country: hostile })).body.data, hostile).toEqual([{ "orders.count": 0 }]);
  });

  it("narrows a semantic query by its dimensions, and by days to the end of the last", async () => {
    const count = async (filters: object) => (await ask("cube", filters)).body.data[0]["orders.count"];
    expect(await count({})).toBe(2);
    expect(await count({ country: null })).toBe(3);
    expect(await count({ country: null, period: ["2026-02-01", "2026-02-01"] })).toBe(1);
    expect(await count({ country: ["SE"], period: { to: "2026-02-01" } })).toBe(0);
  });

  it("puts conditions around SQL on the lake, and asks as its caller: roles hold whatever the filters are", async () => {
    await addRole(team, GRANTS, [team.member.id]);
    expect((await askLake({ status: "paid" })).status).toBe(200);
    expect((await askLake({})).status).toBe(200);
    expect((await askLake({ status: "paid" }, team.admin.key)).status).toBe(200);
    const [bound, plain, free] = engine.sent;
    expect(bound).toMatchObject({
      sql: expect.stringMatching(/^SELECT \* FROM \(\nSELECT \* FROM sales\.orders\n\) AS dataset\nWHERE /),
      parameters: { fjord_filter_1: { type: "text", isList: true, values: ["paid"] } },
      deadlineMs: 5_000,
    });
    expect(plain).toMatchObject({ sql: "SELECT * FROM sales.orders" });
    const readers = [bound, plain, free].map((one) => one?.target.kind === "lake" && one.target.lake.reader);
    expect(readers[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(readers).toEqual([readers[0], readers[0], "everything"]);
    for (const sent of engine.sent) expect(sent.target).not.toHaveProperty("lake.writer");
  });

  it("names filters that are unknown, and values that they can't have, before anything is asked", async () => {
    expect(pointers(await askLake({ nowhere: 1, status: "lost", period: "whenever" }))).toEqual([
      422,
      ["/filters/nowhere", "/filters/period", "/filters/status"],
    ]);
    expect(pointers(await askLake({ status: ["open", "paid"] }))).toEqual([422, ["/filters/status"]]);
    const prototype = JSON.parse('{"__proto__": "x"}') as object;
    expect((await askLake(prototype)).status).toBe(422);
    expect(
      (await call("POST", `${path}/datasets/lake/query`, { key: team.member.key, body: { more: 1 } })).status,
    ).toBe(422);
    expect(engine.sent).toEqual([]);
  });

  it("answers for no dataset that is not there, that is code, or of an archived doc, and by Accept", async () => {
    for (const key of ["missing", "constructor", "__proto__"]) expect((await ask(key)).status, key).toBe(404);
    expect(await ask("code")).toMatchObject({ status: 422, body: { message: expect.stringContaining("code") } });
    const headers = { accept: "text/csv" };
    const csv = await call("POST", `${path}/datasets/bound/query`, { key: team.member.key, headers });
    expect(csv.body).toContain("id\n");
    const { key } = team.admin;
    expect((await call("DELETE", path, { key })).status).toBe(204);
    expect((await ask("bound")).status).toBe(404);
    expect((await call("POST", `${path}/restore`, { key })).status).toBe(200);
  });

  it("is for keys that may read docs, too", async () => {
    const body = { name: "Asks alone", scopes: ["query"] };
    const made = await call("POST", `/v4/users/${team.member.id}/keys`, { key: team.admin.key, body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect((await ask("bound", {}, made.body.data.key)).status).toBe(403);
  });
});
