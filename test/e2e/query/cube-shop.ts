// A shop in PostgreSQL with a semantic model over it, and the address at which clients of Cube ask it.

import pg from "pg";
import { expect, inject } from "vitest";
import { call, connect, type Integration } from "../client.ts";

const TABLES = `
  CREATE TABLE orders (id int PRIMARY KEY, city text, status text, total numeric(10,2), placed timestamp);
  CREATE TABLE line_items (order_id int, line int, sku text, PRIMARY KEY (order_id, line));
  INSERT INTO orders VALUES
    (1, 'Oslo', 'paid', 100.10, '2024-01-15 10:00'), (2, 'Oslo', 'open', 50, '2024-02-01 00:00'),
    (3, 'Bergen', 'paid', 0.30, '2024-02-29 23:59'), (4, NULL, 'paid', 7, '2024-03-31 12:00'),
    (5, 'Bergen', 'open', NULL, '2024-01-31 23:59');
  INSERT INTO line_items VALUES (1, 1, 'pen'), (1, 2, 'ink'), (1, 3, 'pen'), (2, 1, 'pad'), (3, 1, 'pen'), (5, 1, 'ink');`;

const MODEL = `cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: line_items
        relationship: one_to_many
        sql: "{CUBE}.id = {line_items}.order_id"
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: city, sql: city, type: string }
      - { name: status, sql: status, type: string }
      - { name: placed, sql: placed, type: time }
      - { name: slowly, sql: "(SELECT pg_sleep(7)::text)", type: string }
      - { name: large, sql: "9007199254740993", type: number }
    measures:
      - { name: count, type: count }
      - name: paid
        type: sum
        sql: total
        filters: [{ sql: "{CUBE}.status = 'paid'" }]
        drill_members: [id, city]
  - name: line_items
    sql_table: line_items
    dimensions:
      - { name: order_id, sql: order_id, type: number, primary_key: true }
      - { name: line, sql: line, type: number, primary_key: true }
      - { name: sku, sql: sku, type: string }
    measures:
      - { name: count, type: count }
`;

/** `database`: a name that no other file takes. */
export async function openCubeShop(database: string): Promise<{ apiUrl: string; key: string }> {
  const server = inject("postgres");
  const run = async (name: string, sql: string): Promise<void> => {
    const connection = new pg.Client({ ...server, user: server.username, database: name });
    await connection.connect();
    await connection.query(sql);
    await connection.end();
  };
  await run("postgres", `CREATE DATABASE ${database}`);
  await run(database, TABLES);
  const base = await connect("postgres", server, database);
  const made = await call("POST", "/v1/api/integrations", {
    body: { type: "cube", name: `Shop of ${database}`, credentials: { integration_id: base.id } },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = (made.body as { integration: Integration }).integration;
  const put = await call("PUT", `/v1/api/integrations/${id}/model`, {
    body: { files: [{ path: "shop.yml", content: MODEL }] },
  });
  expect(put.status, JSON.stringify(put.body)).toBe(200);
  const { baseUrl, key } = inject("platform");
  return { apiUrl: `${baseUrl}/cubejs-api/${id}/v1`, key };
}
