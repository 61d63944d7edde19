// Syncs as users see them: configured over HTTP, run by the engine, read back from the lake.

import mysql, { type Connection } from "mysql2/promise";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { call, connect, rowsOf, type Integration } from "../client.ts";

const DATABASE = "synced";
let postgres: Integration;
let mariadb: Integration;
let source: pg.Client;
let root: Connection;

beforeAll(async () => {
  const servers = { postgres: inject("postgres"), mariadb: inject("mariadb") };
  const admin = new pg.Client({ ...servers.postgres, user: servers.postgres.username, database: "postgres" });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${DATABASE}`);
  await admin.end();
  source = new pg.Client({ ...servers.postgres, user: servers.postgres.username, database: DATABASE });
  await source.connect();
  await source.query("SET timezone = 'UTC'");
  const { username, ...server } = servers.mariadb;
  root = await mysql.createConnection({ ...server, user: username, multipleStatements: true });
  await root.query(`CREATE DATABASE ${DATABASE}; USE ${DATABASE}`);
  [postgres, mariadb] = await Promise.all([
    connect("postgres", servers.postgres, DATABASE),
    connect("mysql", servers.mariadb, DATABASE),
  ]);
});
afterAll(async () => {
  await source?.end();
  await root?.end();
});

type Run = {
  status: string;
  details: { state: string; reason: string | null };
  tables: Array<{
    source: string;
    rows_read: number;
    rows_written: number;
    method: string;
    notes: string[];
    error: string | null;
    phase: string;
  }>;
};

/** The run as it ended. */
async function ended(integration: Integration, runId: string): Promise<Run> {
  let run: Run | undefined;
  await expect
    .poll(
      async () =>
        ({ run } = (await call<{ run: Run }>("GET", `/v1/api/integrations/${integration.id}/syncs/${runId}`)).body).run
          .status,
      { timeout: 100_000, interval: 250 },
    )
    .not.toBe("STARTED");
  return run!;
}

async function configure(integration: Integration, config: Record<string, unknown>): Promise<Run> {
  const { status, body } = await call<{ run_id: string }>("POST", `/v1/api/integrations/${integration.id}/sync`, {
    body: { schedule: "daily", ...config },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return ended(integration, body.run_id);
}

async function runAgain(integration: Integration, schema: string, body: Record<string, unknown> = {}): Promise<Run> {
  const { status, body: answer } = await call<{ run_id: string }>(
    "POST",
    `/v1/api/integrations/${integration.id}/syncs/run?dest_schema=${schema}`,
    { body },
  );
  expect(status, JSON.stringify(answer)).toBe(202);
  return ended(integration, answer.run_id);
}

const SUMS = "count(*)::int AS n, sum(total)::text AS total, count(DISTINCT customer)::int AS customers";
const inSource = async (table: string) => (await source.query(`SELECT ${SUMS} FROM ${table}`)).rows[0] as unknown;
const inLake = async (table: string) =>
  (await rowsOf(`SELECT ${SUMS.replaceAll("text", "varchar")} FROM LAKE.${table}`))[0];

describe("a sync of PostgreSQL", () => {
  it("makes the lake equal the source, again after changes of rows and columns", async () => {
    await source.query(`
      CREATE TABLE orders (id bigint PRIMARY KEY, customer text NOT NULL, total numeric(12,2));
      INSERT INTO orders SELECT i, 'c' || i % 100, i / 3.0 FROM generate_series(1, 50000) AS i;
      CREATE VIEW big_orders AS SELECT * FROM orders WHERE total > 10000`);
    const first = await configure(postgres, { dest_schema: "mirror", tables: ["public.*", "public.big_orders"] });
    expect(first, JSON.stringify(first)).toMatchObject({ status: "SUCCESS", details: { state: "succeeded" } });
    expect(first.tables.find((table) => table.source === "public.orders")).toMatchObject({
      rows_read: 50_000,
      rows_written: 50_000,
      phase: "done",
    });
    for (const table of ["orders", "big_orders"])
      expect(await inLake(`mirror.${table}`)).toEqual(await inSource(table));

    await source.query(
      "DELETE FROM orders WHERE id % 10 = 0; UPDATE orders SET total = total + 1 WHERE id % 7 = 0; INSERT INTO orders VALUES (60000, 'new', 5)",
    );
    const second = await runAgain(postgres, "mirror");
    expect(second, JSON.stringify(second)).toMatchObject({ status: "SUCCESS" });
    expect(second.tables.find((table) => table.source === "public.orders")).toMatchObject({
      method: "rows written since the last run",
    });
    for (const table of ["orders", "big_orders"])
      expect(await inLake(`mirror.${table}`)).toEqual(await inSource(table));

    await source.query("ALTER TABLE orders ADD COLUMN note text DEFAULT 'none'");
    expect((await runAgain(postgres, "mirror", { tables: ["public.orders"] })).tables[0]!.notes.join(" ")).toContain(
      "Column note is new.",
    );
    expect(await rowsOf("SELECT DISTINCT note FROM LAKE.mirror.orders")).toEqual([{ note: "none" }]);

    await source.query(
      "DROP VIEW big_orders; ALTER TABLE orders ALTER COLUMN customer TYPE varchar(9), ALTER COLUMN total TYPE text",
    );
    const changed = await runAgain(postgres, "mirror", { full: true });
    expect(changed, JSON.stringify(changed)).toMatchObject({
      status: "FAILED",
      details: {
        reason: expect.stringMatching(/^1 of 2 tables failed\. public\.big_orders: .* is gone at the source/),
        attempt: 1,
      },
    });
    expect(changed.tables.find((table) => table.source === "public.orders")!.notes.join(" ")).toContain("made anew");
    expect(changed.tables.find((table) => table.source === "public.big_orders")).toMatchObject({ phase: "failed" });
    expect(await rowsOf("SELECT total FROM LAKE.mirror.orders WHERE id = 60000")).toEqual([{ total: "5.00" }]);
  });

  it("appends only what is new", async () => {
    await source.query(
      "CREATE TABLE events (id bigserial PRIMARY KEY, what text); INSERT INTO events SELECT i, 'e' FROM generate_series(1, 1000) AS i",
    );
    expect(
      await configure(postgres, { dest_schema: "logs", tables: ["public.events"], load_method: "append" }),
    ).toMatchObject({ status: "SUCCESS" });
    await source.query(
      "INSERT INTO events SELECT i, 'e' FROM generate_series(1001, 1010) AS i; DELETE FROM events WHERE id < 10",
    );
    expect((await runAgain(postgres, "logs")).tables[0]).toMatchObject({ rows_written: 10, method: "new rows by id" });
    expect(await rowsOf("SELECT count(*) AS n, count(DISTINCT id) AS d FROM LAKE.logs.events")).toEqual([
      { n: 1_010, d: 1_010 },
    ]);
  });

  it("reports which table failed and why, and brings the others", async () => {
    await source.query(
      "CREATE SCHEMA mixed; CREATE TABLE mixed.good (id int PRIMARY KEY); INSERT INTO mixed.good VALUES (1); CREATE VIEW mixed.bad AS SELECT 1 / (id - 1) AS x FROM mixed.good",
    );
    const run = await configure(postgres, { dest_schema: "mixed", tables: ["mixed.good", "mixed.bad"] });
    expect(run).toMatchObject({
      status: "FAILED",
      details: { reason: expect.stringContaining("mixed.bad: division by zero") },
    });
    expect(await rowsOf("SELECT id FROM LAKE.mixed.good")).toEqual([{ id: 1 }]);
  });
});

describe("a sync of MariaDB", () => {
  it("makes the lake equal the source, again after changes", async () => {
    await root.query(
      "CREATE TABLE items (order_id INT, line INT, price DECIMAL(10,2), PRIMARY KEY (order_id, line)); INSERT INTO items SELECT seq DIV 3, seq, seq / 7 FROM seq_1_to_30000",
    );
    expect(await configure(mariadb, { dest_schema: "shop_items", tables: [`${DATABASE}.*`] })).toMatchObject({
      status: "SUCCESS",
    });
    const check = async () => {
      const [[theirs]] = (await root.query(
        "SELECT CAST(COUNT(*) AS CHAR) AS n, CAST(SUM(price) AS CHAR) AS total FROM items",
      )) as unknown as [[unknown]];
      expect(
        (await rowsOf("SELECT count(*)::varchar AS n, sum(price)::varchar AS total FROM LAKE.shop_items.items"))[0],
      ).toEqual(theirs);
    };
    await check();
    await root.query(
      "DELETE FROM items WHERE line % 9 = 0; UPDATE items SET price = 0 WHERE line % 5 = 0; INSERT INTO items VALUES (99999, 1, 1)",
    );
    expect(await runAgain(mariadb, "shop_items")).toMatchObject({
      status: "SUCCESS",
      tables: [{ method: expect.stringContaining("ranges had changed") }],
    });
    await check();
  });
});
