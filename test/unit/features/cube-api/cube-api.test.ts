// Cube's REST API as its clients meet it: addresses, keys, failures as one text, and the shapes of what is no row.

import { beforeAll, describe, expect, it } from "vitest";
import { SEMANTIC_LIMITS } from "../../../../src/features/semantic/limits.ts";
import { listOperations } from "../../../support/unit/conformance.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call, send } from "../../../support/unit/http.ts";
import { addCube, cubeFile, newCompiler } from "../../../support/unit/semantic/models.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const COUNT = { measures: ["orders.count"] };
const inAddress = (query: unknown) => `?${new URLSearchParams({ query: JSON.stringify(query) })}`;

const operations = (await listOperations()).filter(({ path }) => path.startsWith("/cubejs-api/"));
for (const { method, path, operationId } of operations)
  refusesStrangers(
    operationId,
    (key) => {
      const address = path.replace("{integration_id}", crypto.randomUUID());
      return call(method, address, { key, ...(method === "POST" ? { body: { query: COUNT } } : {}) });
    },
    { right: "query", refusal: { status: 403, body: { error: expect.stringContaining("valid API key") } } },
  );

const VIEW = `views:
  - name: sales
    cubes:
      - {join_path: orders, includes: "*"}
`;
const compiler = newCompiler(
  ({ cubes, views }) => ({
    meta: [...cubes, ...views].map(({ name, measures = [{ name: "count" }] }) => ({
      name,
      type: name === "sales" ? "view" : "cube",
      measures: (measures as { name: string }[]).map((measure) => ({
        name: `${name}.${measure.name}`,
        type: "number",
      })),
      dimensions: [
        { name: `${name}.id`, type: "number", isVisible: false },
        { name: `${name}.at`, type: "time" },
      ],
      segments: [],
    })),
  }),
  {
    "/semantic/sql": () =>
      Response.json({
        sql: "SELECT ?",
        values: ["x"],
        columns: [{ member: "orders.count", kind: "value" }],
        joinPath: [],
        multiplied: [],
      }),
  },
);

let team: TestTeam;
let model: string;
beforeAll(async () => {
  team = await newTeam();
  model = await addCube(team);
  const file = cubeFile("orders").content.replace(
    "    measures:",
    "      - {name: at, sql: at, type: time}\n    measures:",
  );
  const put = await compiler.put(team, model, [
    { path: "orders.yml", content: file },
    { path: "sales.yml", content: VIEW },
  ]);
  expect(put.status, JSON.stringify(put.body)).toBe(200);
});

const ask = (path: string, key = team.member.key) => compiler.ask("GET", `/cubejs-api/v1/${path}`, key);

describe("what there is beside rows", () => {
  it("meta lists what the model offers, and views alone where these are asked for", async () => {
    const { body } = await ask("meta");
    expect(body.cubes.map(({ name }: { name: string }) => name)).toEqual(["orders", "sales"]);
    expect(body.cubes[0].dimensions).toEqual([{ name: "orders.at", type: "time" }]);
    expect((await ask("meta?extended")).body).toEqual(body);
    const views = await ask("meta?onlyViews=true");
    expect(views.body.cubes.map(({ name }: { name: string }) => name)).toEqual(["sales"]);
  });

  it("sql is a text and its values, and a list of them where ranges are compared", async () => {
    const { body } = await ask(`sql${inAddress({ ...COUNT, order: { "orders.count": "asc" } })}`);
    expect(body).toEqual({
      sql: {
        sql: ["SELECT ?", ["x"]],
        order: { "orders.count": "asc" },
        memberNames: ["orders.count"],
        dataSource: "default",
        external: false,
        cacheKeyQueries: [],
        preAggregations: [],
      },
      dataSource: "default",
    });
    const timeDimensions = [{ dimension: "orders.at", compareDateRange: [["2026-01-01"], ["2026-02-01"]] }];
    expect((await ask(`sql${inAddress({ ...COUNT, timeDimensions })}`)).body).toHaveLength(2);
  });

  it("dry-run says what a query means, by POST as well", async () => {
    const query = {
      ...COUNT,
      timeDimensions: [{ dimension: "orders.at", granularity: "day", dateRange: ["2026-01-01"] }],
    };
    const { body } = await compiler.ask("POST", "/cubejs-api/v1/dry-run", team.member.key, { query });
    const normalized = {
      measures: ["orders.count"],
      timeDimensions: [{ granularity: "day", dateRange: ["2026-01-01T00:00:00.000", "2026-01-01T23:59:59.999"] }],
      limit: SEMANTIC_LIMITS.rowsDefault,
      timezone: "UTC",
    };
    expect(body).toMatchObject({
      queryType: "regularQuery",
      normalizedQueries: [normalized],
      queryOrder: [{ "orders.at": "asc" }],
      transformedQueries: [],
      pivotQuery: { ...normalized, queryType: "regularQuery" },
    });
    expect((await ask(`dry-run${inAddress(query)}`)).body).toEqual(body);
  });

  it("dry-run pivots a comparison by its ranges", async () => {
    const timeDimensions = [{ dimension: "orders.at", compareDateRange: [["2026-01-01"], ["2026-02-01"]] }];
    const { body } = await ask(`dry-run${inAddress({ ...COUNT, timeDimensions })}`);
    expect(body).toMatchObject({
      queryType: "compareDateRangeQuery",
      pivotQuery: { dimensions: ["compareDateRange"] },
    });
    expect(body.normalizedQueries).toHaveLength(2);
  });
});

describe("an address", () => {
  it("with its id is of one model, whichever others there are; without it the addresses are told", async () => {
    const other = await newTeam();
    expect((await ask("meta", other.member.key)).body).toEqual({
      error: "This team has no integration of type cube. Create one, and give it a model.",
    });
    const [one, two] = [await addCube(other), await addCube(other)];
    await compiler.put(other, one, [cubeFile("orders")]);
    const { status, body } = await ask("meta", other.member.key);
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/^This team has several semantic models\. Take /),
    ]);
    for (const id of [one, two]) expect(body.error).toContain(`/cubejs-api/${id}/v1 (`);
    expect((await compiler.ask("GET", `/cubejs-api/${one}/v1/meta`, other.member.key)).status).toBe(200);
    const without = await compiler.ask("GET", `/cubejs-api/${two}/v1/meta`, other.member.key);
    expect(without).toMatchObject({ status: 404, body: { error: expect.stringContaining("has no model yet") } });
    const foreign = await compiler.ask("GET", `/cubejs-api/${model}/v1/meta`, other.member.key);
    expect(foreign).toMatchObject({ status: 404, body: { error: expect.stringContaining("was not found") } });
  });

  it("that leads nowhere, and a method that it does not have, are told as one text", async () => {
    const { key } = team.member;
    expect(await call("GET", "/cubejs-api/v1/cubesql", { key })).toMatchObject({
      status: 404,
      body: { error: "No operation answers GET /cubejs-api/v1/cubesql." },
    });
    expect(await call("DELETE", "/cubejs-api/v1/load", { key })).toMatchObject({
      status: 405,
      body: { error: expect.stringContaining("GET, POST") },
    });
  });

  it("lets pages of any origin ask, with a key in the header and no credentials", async () => {
    const headers = { origin: "https://example.com", "access-control-request-headers": "authorization,x-request-id" };
    const preflight = await send("OPTIONS", "/cubejs-api/v1/load", { headers });
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/Authorization, Content-Type.* X-Request-Id/);
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
  });
});

describe("a key", () => {
  it("is taken with a scheme and without one here, and with one alone elsewhere", async () => {
    const { key } = team.member;
    for (const authorization of [key, `Bearer ${key}`, `bearer  ${key}`])
      expect((await call("GET", "/cubejs-api/v1/meta", { headers: { authorization } })).status).toBe(200);
    expect((await call("GET", "/v4/me", { headers: { authorization: key } })).status).toBe(401);
    const basic = { authorization: `Basic ${key}` };
    expect((await call("GET", "/cubejs-api/v1/meta", { headers: basic })).status).toBe(403);
  });
});

describe("a query that can't be answered", () => {
  const two = [COUNT, COUNT];
  const by = (granularity: string) => ({ ...COUNT, timeDimensions: [{ dimension: "orders.at", granularity }] });
  const COMPARED = { ...COUNT, timeDimensions: [{ dimension: "orders.at", compareDateRange: [["2026-01-01"]] }] };
  it.each<[string, string, number, string | RegExp]>([
    ["is missing", "", 400, "Query param is required"],
    ["is no JSON", "?query={", 400, /^Unable to decode query param as JSON, error: /],
    ["is a list without a time", inAddress(two), 400, "Data blending query without granularity is not supported"],
    ["is an empty list", inAddress([]), 400, /a list of up to 5/],
    ["is a long list", inAddress(Array(6).fill(COUNT)), 400, /a list of up to 5/],
    ["is a list of other times", inAddress([by("day"), by("month")]), 400, /granularities must match$/],
    ["is a list that compares", inAddress([by("day"), COMPARED]), 400, /compareDateRange by itself/],
    ["is a text", inAddress("SELECT 1"), 400, /as an object/],
    [
      "names no member",
      inAddress({ measures: ["orders.none"] }),
      400,
      "'none' not found for path 'orders.none'. orders has orders.count.",
    ],
    ["has a key that is unknown", inAddress({ ...COUNT, persist: true }), 400, /^Invalid query format: .*persist/],
    ["asks for nothing", inAddress({}), 400, /^Query should contain either measures/],
    ["has a mode of the cache that is none", `${inAddress(COUNT)}&cache=maybe`, 400, /^Invalid query format: "cache"/],
  ])("is told so where it %s", async (_, query, status, text) => {
    for (const path of ["load", "sql", "dry-run", "subscribe"]) {
      const answer = await ask(path + query);
      expect([answer.status, Object.keys(answer.body)]).toEqual([status, ["error"]]);
      if (typeof text === "string") expect(answer.body.error).toBe(text);
      else expect(answer.body.error).toMatch(text);
    }
  });

  it("is told so in a body as well", async () => {
    const post = (body: unknown) => compiler.ask("POST", "/cubejs-api/v1/load", team.member.key, body);
    expect(await post({ query: two })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/blending/) },
    });
    for (const body of [{}, { query: [] }, { query: Array(6).fill(COUNT) }, { query: ["SELECT 1"] }])
      expect(await post(body)).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^\/query: Send a query/) },
      });
    const raw = await call("POST", "/cubejs-api/v1/load", { key: team.member.key, raw: "{" });
    expect([raw.status, typeof raw.body.error]).toEqual([415, "string"]);
  });

  it("names all that is wrong in one text", async () => {
    const { body } = await ask(`dry-run${inAddress({ measures: ["orders.a", "orders.b"] })}`);
    const flaws = ["a", "b"].map((name) => `'${name}' not found for path 'orders.${name}'. orders has orders.count.`);
    expect(body.error).toBe(flaws.join(" "));
  });

  it("compares ranges for a client that takes one result", async () => {
    const timeDimensions = [{ dimension: "orders.at", compareDateRange: [["2026-01-01"], ["2026-02-01"]] }];
    const { status, body } = await ask(`load${inAddress({ ...COUNT, timeDimensions })}`);
    expect([status, body.error]).toEqual([400, "Send queryType=multi: a compareDateRangeQuery has several results."]);
  });
});
