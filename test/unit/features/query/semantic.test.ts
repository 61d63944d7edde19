import { beforeAll, describe, expect, it } from "vitest";
import { addPostgres } from "../../../support/unit/databases.ts";
import { call, send } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const MODEL = `
cubes:
  - name: orders
    sql: >
      select * from (values
        (1, 'paid', 10.50, timestamp '2026-01-31 10:00:00'),
        (2, 'paid', 20.25, timestamp '2026-02-01 23:30:00'),
        (3, 'open', 5, timestamp '2026-02-02 00:00:00')) as o (id, status, amount, created_at)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: created, sql: created_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum, title: Turnover }
      - { name: paid_count, type: count, filters: [{ sql: "{CUBE}.status = 'paid'" }], drill_members: [status, created] }
    segments:
      - { name: paid, sql: "{CUBE}.status = 'paid'" }
`;

let team: TestTeam;
let postgres: string;
let cube: string;

const addCube = async (name: string): Promise<string> => {
  const body = { type: "cube", name, credentials: { integration_id: postgres } };
  const made = await call("POST", "/v1/api/integrations", { key: team.admin.key, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.integration.id;
};

beforeAll(async () => {
  team = await newTeam();
  postgres = await addPostgres(team, { database: "shop" });
  cube = await addCube("Shop");
  const body = { files: [{ path: "shop.yml", content: MODEL }] };
  const put = await call("PUT", `/v1/api/integrations/${cube}/model`, { key: team.admin.key, body });
  expect(put.status, JSON.stringify(put.body)).toBe(200);
});

const ask = (query: object, more: { body?: object; path?: string } = {}) =>
  call("POST", more.path ?? "/v1/query", { key: team.member.key, body: { cube_query: query, ...more.body } });

const BY_STATUS = { measures: ["orders.count", "orders.total"], dimensions: ["orders.status"] };

describe("a cube_query", () => {
  it("is answered rows under members, with what it was understood as", async () => {
    const { status, body } = await ask({ ...BY_STATUS, total: true, limit: 1 });
    expect([status, body.message]).toEqual([200, undefined]);
    expect(body).toMatchObject({
      success: true,
      columns: ["orders.status", "orders.count", "orders.total"],
      data: [{ "orders.status": "paid", "orders.count": 2, "orders.total": 30.75 }],
      rowCount: 1,
      total: 2,
      query: { ...BY_STATUS, limit: 1, timezone: "UTC", queryType: "regularQuery" },
      annotation: { measures: { "orders.total": { title: "Orders Turnover", type: "number" } } },
      dbType: "postgres",
      slowQuery: false,
    });
  });

  it("takes what existing clients send besides, and finds the team's only model", async () => {
    const { status, body } = await ask(
      { measures: ["orders.count"], segments: ["orders.paid"] },
      { body: { persist: true, invalidate: true }, path: "/v1/query?raw=true" },
    );
    expect([status, body.data]).toEqual([200, [{ "orders.count": 2 }]]);
  });

  it("groups times by the days of its zone, and shows them twice, without zone", async () => {
    const time = { dimension: "orders.created", granularity: "day", dateRange: ["2026-02-02", "2026-02-02"] };
    const { body } = await ask({ measures: ["orders.count"], timeDimensions: [time], timezone: "Europe/Berlin" });
    const midnight = "2026-02-02T00:00:00.000";
    expect(body.data).toEqual([{ "orders.created.day": midnight, "orders.created": midnight, "orders.count": 2 }]);
  });

  it("compares ranges", async () => {
    const compareDateRange = [
      ["2026-01-01", "2026-01-31"],
      ["2026-02-01", "2026-02-28"],
    ];
    const timeDimensions = [{ dimension: "orders.created", compareDateRange }];
    const { body } = await ask({ measures: ["orders.count"], timeDimensions });
    const [january, february] = [
      "2026-01-01T00:00:00.000 - 2026-01-31T23:59:59.999",
      "2026-02-01T00:00:00.000 - 2026-02-28T23:59:59.999",
    ];
    expect(body).toMatchObject({
      queryType: "compareDateRangeQuery",
      pivotQuery: { dimensions: ["compareDateRange"] },
      results: [
        { data: [{ "orders.count": 1, compareDateRange: january }] },
        { data: [{ "orders.count": 2, compareDateRange: february }] },
      ],
    });
    expect(body).not.toHaveProperty("data");
  });

  it.each([
    [
      "compact",
      {
        members: ["orders.status", "orders.count"],
        dataset: [
          ["open", 1],
          ["paid", 2],
        ],
      },
    ],
    [
      "columnar",
      {
        members: ["orders.status", "orders.count"],
        columns: [
          ["open", "paid"],
          [1, 2],
        ],
      },
    ],
  ])("is answered %s", async (responseFormat, data) => {
    const query = { measures: ["orders.count"], dimensions: ["orders.status"], order: { "orders.status": "asc" } };
    expect((await ask({ ...query, responseFormat })).body).toMatchObject({ success: true, data, rowCount: 2 });
  });

  it("is answered as CSV under members", async () => {
    const body = { cube_query: { ...BY_STATUS, order: [["orders.status", "asc"]] } };
    const answer = await send("POST", "/v1/query", { key: team.member.key, body, headers: { accept: "text/csv" } });
    expect((await answer.text()).split(/\r?\n/).slice(0, 2)).toEqual([
      "orders.status,orders.count,orders.total",
      "open,1,5",
    ]);
  });

  it("drills into a measure's own rows, as clients do", async () => {
    const filters = [{ member: "orders.paid_count", operator: "measureFilter" }];
    const { status, body } = await ask({ measures: [], dimensions: ["orders.created"], filters, order: [] });
    expect([status, body.data?.length]).toEqual([200, 2]);
  });

  it("binds its values, whatever is in them", async () => {
    const filters = [{ member: "orders.status", operator: "equals", values: ["x' or '1'='1", "%", "$1", "?"] }];
    expect((await ask({ ...BY_STATUS, filters })).body.data).toEqual([]);
    const contains = [{ member: "orders.status", operator: "contains", values: ["%"] }];
    expect((await ask({ ...BY_STATUS, filters: contains })).body.data).toEqual([]);
  });

  it("is refused in Cube's words before anything runs, every flaw at once", async () => {
    const { status, body } = await ask({ measures: ["orders.cuont"], persist: true, limit: 50_001 });
    expect([status, body.message]).toEqual([
      422,
      '/cube_query/persist: Invalid query format: "persist" is not allowed',
    ]);
    const flaws = (await ask({ measures: ["orders.cuont", "nope.count"], limit: 50_001 })).body.error.flaws;
    expect(flaws.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/cube_query/limit",
      "/cube_query/measures/0",
      "/cube_query/measures/1",
    ]);
    expect(flaws[1].message).toBe("'cuont' not found for path 'orders.cuont'. Did you mean orders.count?");
  });

  it("names its model where the team has several, and one that has nothing in it yet", async () => {
    const second = await addCube("Empty");
    const { status, body } = await ask(BY_STATUS);
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/integration_id"]);
    expect(body.message).toContain(`Shop (${cube}), Empty (${second})`);
    expect((await ask(BY_STATUS, { body: { integration_id: cube } })).status).toBe(200);
    const empty = await ask(BY_STATUS, { body: { integration_id: second } });
    expect([empty.status, empty.body.message]).toMatchObject([404, expect.stringContaining("has no model yet")]);
  });

  it("finds no other team's model", async () => {
    const other = await newTeam();
    const body = { cube_query: BY_STATUS, integration_id: cube };
    expect(await call("POST", "/v1/query", { key: other.admin.key, body })).toMatchObject({
      status: 404,
      body: { message: `Integration ${cube} was not found.` },
    });
    const { status } = await call("POST", "/v1/query", { key: other.admin.key, body: { cube_query: BY_STATUS } });
    expect(status).toBe(422);
  });
});
