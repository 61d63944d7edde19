// What roles hide from a member is to a semantic model as though it had never been there: the same questions, asked by
// a member over everything, and by an admin over a database and a model that lack what is hidden from that member.

import { randomUUID } from "node:crypto";
import mysql from "mysql2/promise";
import pg from "pg";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { call, newTeam } from "../client.ts";

const MARK = randomUUID().slice(0, 8);
const RICH = `rich_${MARK}`;
const POOR = `poor_${MARK}`;

/** `of`: how the base names a table. The poor one has no hidden column, row or table, and null for what is masked. */
const tablesOf = (of: (table: string) => string, isPoor: boolean): string[] => {
  const secret = isPoor ? "" : ", margin";
  const rows = [
    ["1, 10, 'north', 100", "30"],
    ["2, 10, 'south', 900", "70"],
    ["3, 20, 'north', 50", "5"],
    ["4, NULL, 'north', NULL", "1"],
  ].filter(([row]) => !isPoor || row!.includes("north"));
  const lines = ["1, 1, 2, 7", "2, 1, 3, 7", "3, 2, 11, 7", "4, 3, 4, 7", "5, 4, 1, 7", "6, NULL, 8, 7"];
  const orders = `${of("orders")} (id int, customer_id int, region varchar(20), amount int${isPoor ? "" : ", margin int"})`;
  return [
    `CREATE TABLE ${orders}`,
    `INSERT INTO ${of("orders")} (id, customer_id, region, amount${secret}) VALUES ${rows
      .map(([row, margin]) => `(${row}${isPoor ? "" : `, ${margin}`})`)
      .join(", ")}`,
    `CREATE TABLE ${of("line_items")} (id int, order_id int, quantity int, cost int)`,
    `INSERT INTO ${of("line_items")} VALUES ${lines
      .map((line) => `(${isPoor ? line.replace(/7$/, "NULL") : line})`)
      .join(", ")}`,
    ...(isPoor
      ? []
      : [
          `CREATE TABLE ${of("customers")} (id int, name varchar(20))`,
          `INSERT INTO ${of("customers")} VALUES (10, 'Ada'), (20, 'Bob')`,
        ]),
  ];
};

/** JSON is YAML. The poor one has no member that a margin is in, and no customers. */
const modelOf = (of: (table: string) => string, isPoor: boolean): string => {
  const rich = <Item>(...items: Item[]): Item[] => (isPoor ? [] : items);
  const members = ["count", "total", ...rich("margin", "share"), "region", ...rich("band")];
  const customers = {
    name: "customers",
    sql: `SELECT * FROM ${of("customers")}`,
    dimensions: [
      { name: "id", sql: "id", type: "number", primary_key: true },
      { name: "name", sql: "name", type: "string" },
    ],
    measures: [{ name: "count", type: "count" }],
  };
  const orders = {
    name: "orders",
    sql_table: of("orders"),
    joins: [
      { name: "line_items", relationship: "one_to_many", sql: "{CUBE}.id = {line_items}.order_id" },
      ...rich({ name: "customers", relationship: "many_to_one", sql: "{CUBE}.customer_id = {customers}.id" }),
    ],
    dimensions: [
      { name: "id", sql: "id", type: "number", primary_key: true, public: true },
      { name: "region", sql: "region", type: "string" },
      ...rich(
        { name: "band", sql: "CASE WHEN {CUBE}.margin > 10 THEN 'high' ELSE 'low' END", type: "string" },
        { name: "customer", sql: "{customers.name}", type: "string" },
      ),
    ],
    measures: [
      { name: "count", type: "count", drill_members: ["id", "region", ...rich("band", "customers.name")] },
      { name: "total", sql: "amount", type: "sum" },
      ...rich(
        { name: "margin", sql: "{CUBE}.MARGIN", type: "sum" },
        { name: "share", sql: "1.0 * {margin} / {total}", type: "number" },
      ),
    ],
    segments: [{ name: "large", sql: "{CUBE}.amount > 60" }, ...rich({ name: "fat", sql: "{CUBE}.margin > 6" })],
    hierarchies: [{ name: "places", levels: ["region", ...rich("customers.name")] }],
  };
  const items = {
    name: "line_items",
    sql_table: of("line_items"),
    dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true }],
    measures: [
      { name: "quantity", sql: "quantity", type: "sum" },
      { name: "cost", sql: "cost", type: "sum" },
    ],
  };
  const sales = {
    name: "sales",
    cubes: [
      { join_path: "orders", includes: members },
      { join_path: "orders.line_items", includes: ["quantity"] },
      ...rich({ join_path: "orders.customers", prefix: true, includes: "*" }),
    ],
    folders: [{ name: "Money", includes: ["total", ...rich("margin", "share")] }],
  };
  return JSON.stringify({ cubes: [orders, items, ...rich(customers)], views: [sales] });
};

/** What the poor base knows, what it does not, and what nobody has. */
const QUERIES: Record<string, unknown>[] = [
  { measures: ["orders.count", "orders.total", "line_items.quantity"], dimensions: ["orders.region"] },
  { measures: ["orders.total", "line_items.quantity"], segments: ["orders.large"], total: true },
  { measures: ["line_items.quantity"], total: true },
  { measures: ["sales.total", "sales.quantity"], order: { "sales.total": "desc" } },
  { dimensions: ["orders.id", "orders.region"], ungrouped: true },
  { measures: ["orders.count"], filters: [{ member: "orders.region", operator: "equals", values: ["south"] }] },
  { measures: ["orders.margin"] },
  { measures: ["orders.share", "orders.nothing"] },
  { measures: ["orders.count"], dimensions: ["orders.band"] },
  { measures: ["orders.count"], dimensions: ["orders.customer"] },
  { measures: ["orders.count"], segments: ["orders.fat"] },
  { measures: ["orders.count"], filters: [{ member: "orders.margin", operator: "gt", values: ["1"] }] },
  { measures: ["orders.count"], order: { "orders.margin": "asc" } },
  { measures: ["customers.count"] },
  { dimensions: ["customers.name"] },
  { measures: ["sales.margin"] },
  { dimensions: ["sales.customers_name"] },
  { measures: ["orders.count", "customers.count"] },
  { measures: ["nothing.count"] },
];

let admin: string;
let member: string;
let memberId: string;

beforeAll(async () => {
  admin = (await newTeam("Hidden")).key;
  const user = await ask<{ data: { id: string } }>("POST", "/v4/users", {
    name: "Bob",
    email: `bob@${MARK}.example`,
    role: "member",
  });
  memberId = user.data.id;
  member = (await ask<{ data: { key: string } }>("POST", `/v4/users/${memberId}/keys`, { name: "k" })).data.key;
});

/** Calls as the admin; fails the test where the call is refused. */
async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
  const answer = await call<Body>(method, path, { key: admin, ...(body ? { body } : {}) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

const addIntegration = async (body: object): Promise<string> =>
  (await ask<{ integration: { id: string } }>("POST", "/v1/api/integrations", body)).integration.id;

type Server = { host: string; port: number; username: string; password: string };
const connect = (type: string, { host, port, username, password }: Server, database: string): Promise<string> =>
  addIntegration({
    type,
    name: `${type} ${database}`,
    credentials: { host, port: String(port), database, username, password },
  });

type Base = { id: string; schema: string };

const shop = (table: string): string => `shop.${table}`;
const plain = (table: string): string => table;

const BASES: Record<string, { of: (table: string) => string; make(database: string, isPoor: boolean): Promise<Base> }> =
  {
    lake: {
      of: shop,
      async make(_, isPoor) {
        const id = await addIntegration({ type: "lake" });
        for (const sql of ["CREATE SCHEMA shop", ...tablesOf(shop, isPoor)])
          await ask("POST", "/v1/query", { sql, integration_id: id });
        return { id, schema: "shop" };
      },
    },
    postgres: {
      of: shop,
      async make(database, isPoor) {
        const server = inject("postgres");
        const run = async (into: string, ...statements: string[]): Promise<void> => {
          const client = new pg.Client({ ...server, user: server.username, database: into });
          await client.connect();
          for (const sql of statements) await client.query(sql);
          await client.end();
        };
        await run("postgres", `CREATE DATABASE ${database}`);
        await run(database, "CREATE SCHEMA shop", ...tablesOf(shop, isPoor));
        return { id: await connect("postgres", server, database), schema: "shop" };
      },
    },
    mysql: {
      of: plain,
      async make(database, isPoor) {
        const { username, ...server } = inject("mariadb");
        const connection = await mysql.createConnection({ ...server, user: username });
        for (const sql of [`CREATE DATABASE ${database}`, `USE ${database}`, ...tablesOf(plain, isPoor)])
          await connection.query(sql);
        await connection.end();
        return { id: await connect("mysql", inject("mariadb"), database), schema: database };
      },
    },
  };

async function addModel(base: Base, of: (table: string) => string, isPoor: boolean): Promise<string> {
  const id = await addIntegration({ type: "cube", name: randomUUID(), credentials: { integration_id: base.id } });
  await ask("PUT", `/v1/api/integrations/${id}/model`, { files: [{ path: "a.yml", content: modelOf(of, isPoor) }] });
  return id;
}

const grant = async (...grants: object[]): Promise<void> => {
  const role = await ask<{ data: { id: string } }>("POST", "/v4/data-access/roles", { name: randomUUID(), grants });
  await ask("PUT", `/v4/data-access/roles/${role.data.id}/members/${memberId}`);
};

/** Without what is of the request alone. */
const comparable = (body: unknown): string =>
  JSON.stringify(body, (key, value: unknown) =>
    ["requestId", "durationMs", "phases", "cachedAt", "lastRefreshTime"].includes(key) ? undefined : value,
  );

describe.each(Object.entries(BASES))("on %s what is hidden is missing", (_, { of, make }) => {
  let rich: string;
  let poor: string;
  beforeAll(async () => {
    const [richBase, poorBase] = [await make(RICH, false), await make(POOR, true)];
    rich = await addModel(richBase, of, false);
    poor = await addModel(poorBase, of, true);
    const common = { integration_id: richBase.id, schema: richBase.schema };
    const filters = [{ member: "region", operator: "equals", values: ["north"] }];
    const grants = [
      { ...common, table: "orders", exclude_columns: ["margin"], filters },
      { ...common, table: "line_items", masks: { cost: null } },
    ];
    await grant(...grants);
  });

  /** Calls as the member over everything, and as the admin over what the member may see. */
  async function both(method: string, path: (cube: string) => string, body?: (cube: string) => object) {
    const [seen, real] = await Promise.all(
      [
        { cube: rich, key: member },
        { cube: poor, key: admin },
      ].map(({ cube, key }) => call(method, path(cube), { key, ...(body ? { body: body(cube) } : {}) })),
    );
    return { seen: seen!, real: real! };
  }

  it("from meta, to the byte", async () => {
    const { seen, real } = await both("GET", (cube) => `/v1/api/integrations/${cube}/meta`);
    expect(real.status, JSON.stringify(real.body)).toBe(200);
    expect(comparable(seen.body)).toBe(comparable(real.body));
    expect(JSON.stringify(seen.body)).not.toMatch(/margin|customer/i);
  });

  it.each(QUERIES.map((query) => [JSON.stringify(query), query] as const))(
    "from the answer to %s",
    async (_text, query) => {
      const asked = (cube: string) => ({ cube_query: query, integration_id: cube });
      const { seen, real } = await both("POST", () => "/v1/query", asked);
      expect([seen.status, comparable(seen.body)]).toEqual([real.status, comparable(real.body)]);
      expect([200, 400, 422]).toContain(real.status);
    },
  );

  it.each(QUERIES.map((query) => [JSON.stringify(query), query] as const))(
    "from the SQL of %s",
    async (_text, query) => {
      const path = (cube: string) => `/v1/api/integrations/${cube}/sql`;
      const { seen, real } = await both("POST", path, () => ({ cube_query: query }));
      expect([seen.status, comparable(seen.body)]).toEqual([real.status, comparable(real.body)]);
    },
  );

  it("but what is masked is there, as its mask", async () => {
    const cube_query = { measures: ["line_items.quantity", "line_items.cost"] };
    const { body } = await call("POST", "/v1/query", { key: member, body: { cube_query, integration_id: rich } });
    expect(body).toMatchObject({ data: [{ "line_items.quantity": 29, "line_items.cost": null }] });
  });

  it("from none of it to who is not bound", async () => {
    const cube_query = { measures: ["orders.margin", "orders.total", "line_items.quantity", "line_items.cost"] };
    const { status, body } = await call("POST", "/v1/query", {
      key: admin,
      body: { cube_query, integration_id: rich },
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    const [row] = (body as { data: Record<string, unknown>[] }).data;
    expect(Object.values(row!).map(Number)).toEqual([106, 1050, 29, 42]);
  });

  it("from a query that nobody waits for", async () => {
    const body = { cube_query: QUERIES[0], integration_id: rich };
    const headers = { prefer: "respond-async, wait=60" };
    const later = await call("POST", "/v1/query", { key: member, body, headers });
    const now = await call("POST", "/v1/query", { key: member, body });
    expect([later.status, comparable(later.body)]).toEqual([200, comparable(now.body)]);
  });
});

describe("a model over a lake", () => {
  it("hides a column that is called otherwise since, as soon as it is", async () => {
    const lake = await addIntegration({ type: "lake" });
    const run = (sql: string) => ask("POST", "/v1/query", { sql, integration_id: lake });
    await run("CREATE TABLE sales AS SELECT 1 AS id, 5 AS margin, 7 AS profit");
    await grant({ integration_id: lake, schema: "main", exclude_columns: ["margin"] });
    const cube = await addIntegration({ type: "cube", name: randomUUID(), credentials: { integration_id: lake } });
    const measures = ["margin", "profit"].map((name) => ({ name, sql: name, type: "sum" }));
    const content = JSON.stringify({ cubes: [{ name: "sales", sql_table: "sales", measures }] });
    await ask("PUT", `/v1/api/integrations/${cube}/model`, { files: [{ path: "a.yml", content }] });
    const seen = async (): Promise<string[]> => {
      const { body } = await call("GET", `/v1/api/integrations/${cube}/meta`, { key: member });
      const { cubes } = body as { cubes: { measures: { name: string }[] }[] };
      return cubes.flatMap((entry) => entry.measures.map(({ name }) => name));
    };
    expect(await seen()).toEqual(["sales.profit"]);
    await run("ALTER TABLE sales DROP COLUMN profit");
    await run("ALTER TABLE sales RENAME COLUMN margin TO profit");
    expect(await seen()).toEqual(["sales.margin"]);
  });
});
