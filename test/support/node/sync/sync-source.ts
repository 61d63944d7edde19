// A database to sync from, on the ring's PostgreSQL: a few tables of the kinds that matter to a configuration.

import type { TestProject } from "vitest/node";
import { connectPostgres } from "../sources/sources.ts";

const SYNC_DATABASE = "shop";

export default async function setup(project: TestProject) {
  const { postgres } = project.getProvidedContext();
  const server = await connectPostgres(postgres);
  await server.query(`CREATE DATABASE ${SYNC_DATABASE}`);
  await server.end();
  const shop = await connectPostgres(postgres, SYNC_DATABASE);
  await shop.query(`
    CREATE TABLE orders (id bigint PRIMARY KEY, note text, created_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE "Order Lines" (order_id bigint, line int, PRIMARY KEY (order_id, line));
    CREATE TABLE tags (name text);
    CREATE VIEW recent AS SELECT * FROM orders;
    CREATE SCHEMA sales;
    CREATE TABLE sales.orders (id int PRIMARY KEY);
    INSERT INTO orders SELECT n, 'note ' || n FROM generate_series(1, 100) n`);
  await shop.end();
}
