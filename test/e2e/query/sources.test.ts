// Equal tables in two databases are asked one question.

import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromIPC } from "apache-arrow";
import mysql from "mysql2/promise";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { startTcpProxy } from "../../support/node/servers/tcp-proxy.ts";
import { call, connect, query, rowsOf, send, type Failure, type Integration } from "../client.ts";

const DATABASE = "same";
const ROWS = [
  "(1, 9223372036854775807, 12345678901234567890123456789.123456789, 0.1, '2024-02-29', '23:59:59.123456', '2024-02-29 23:59:59.123456', 'Ærø, \"quoted\"\nline', '', NULL, '5d1f9f2e-7a1b-4c53-9e1b-0a2b3c4d5e6f')",
  "(2, -9223372036854775808, -0.000000001, -1.5e300, '0001-01-01', '00:00:00', '9999-12-31 00:00:00', 'tab\there', ' ', 'x', '00000000-0000-0000-0000-000000000000')",
  "(3, 0, 0, 0, NULL, NULL, NULL, '🦭', 'NULL', NULL, NULL)",
];
const COLUMNS = "id, big, exact, ratio, on_day, at_time, at, words, hollow, missing, uid";
const SQL = `SELECT ${COLUMNS} FROM kinds ORDER BY id`;

let postgres: Integration;
let mariadb: Integration;

beforeAll(async () => {
  const servers = { postgres: inject("postgres"), mariadb: inject("mariadb") };
  const client = new pg.Client({ ...servers.postgres, user: servers.postgres.username, database: "postgres" });
  await client.connect();
  await client.query(`CREATE DATABASE ${DATABASE}`);
  await client.end();
  const table = (instant: string, real: string) =>
    `CREATE TABLE kinds (id int PRIMARY KEY, big bigint, exact decimal(38,9), ratio ${real}, on_day date, at_time time(6), at ${instant}(6), words text, hollow varchar(9), missing varchar(9), uid uuid)`;
  const inside = new pg.Client({ ...servers.postgres, user: servers.postgres.username, database: DATABASE });
  await inside.connect();
  await inside.query(table("timestamp", "double precision"));
  await inside.query(`INSERT INTO kinds VALUES ${ROWS.join(", ")}`);
  await inside.end();

  const { username, ...server } = servers.mariadb;
  const connection = await mysql.createConnection({ ...server, user: username, charset: "utf8mb4" });
  await connection.query(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4`);
  await connection.query(`USE ${DATABASE}`);
  await connection.query(table("datetime", "double"));
  await connection.query(`INSERT INTO kinds VALUES ${ROWS.join(", ")}`);
  await connection.end();

  [postgres, mariadb] = await Promise.all([
    connect("postgres", servers.postgres, DATABASE),
    connect("mysql", servers.mariadb, DATABASE),
  ]);
});

/** The answer's text, in the format `accept` names. */
async function textOf(integration: Integration, accept: string, path = "/v1/query"): Promise<string> {
  const response = await send("POST", path, {
    body: { sql: SQL, integration_id: integration.id },
    headers: { accept },
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  expect(response.headers.get("content-type")).toContain(accept);
  return text;
}

/** PostgreSQL spells an exponent `e+300`, MariaDB `e300`: the same number. */
const oneSpelling = (text: string) => text.replaceAll(/(\d)e\+(\d)/g, "$1e$2");

describe("the same table in PostgreSQL and in MariaDB", () => {
  it("gives the same rows", async () => {
    const [one, other] = await Promise.all([postgres, mariadb].map(({ id }) => query(SQL, { integration_id: id })));
    expect(one!.body.columns).toEqual(COLUMNS.split(", "));
    expect(other!.body.columns).toEqual(one!.body.columns);
    expect(other!.body.data).toEqual(one!.body.data);
    expect(one!.body.data).toHaveLength(3);
  });

  it("keeps every digit, as JSON numbers and as strings", async () => {
    for (const integration of [postgres, mariadb]) {
      const exact = await textOf(integration, "application/json");
      expect(exact).toMatch(/"big":9223372036854775807\b/);
      expect(exact).toMatch(/"exact":12345678901234567890123456789\.123456789\b/);
      const strings = JSON.parse(await textOf(integration, "application/json", "/v1/query?numbers=string")) as {
        data: Record<string, unknown>[];
      };
      expect(strings.data[0]).toMatchObject({
        id: 1,
        big: "9223372036854775807",
        exact: "12345678901234567890123456789.123456789",
        ratio: 0.1,
      });
      expect(strings.data[1]).toMatchObject({ big: "-9223372036854775808", exact: "-0.000000001", ratio: -1.5e300 });
    }
  });

  it("keeps instants, text, NULL and the empty string apart", async () => {
    for (const integration of [postgres, mariadb]) {
      const [first, second, third] = await rowsOf(SQL, { integration_id: integration.id });
      expect(first).toMatchObject({
        on_day: "2024-02-29",
        at_time: "23:59:59.123456",
        at: "2024-02-29T23:59:59.123456",
        words: 'Ærø, "quoted"\nline',
        hollow: "",
        missing: null,
        uid: "5d1f9f2e-7a1b-4c53-9e1b-0a2b3c4d5e6f",
      });
      expect(second).toMatchObject({ on_day: "0001-01-01", words: "tab\there", hollow: " ", missing: "x" });
      expect(third).toMatchObject({ on_day: null, at: null, words: "🦭", hollow: "NULL", missing: null, uid: null });
    }
  });

  it("is the same CSV", async () => {
    const [one, other] = await Promise.all([postgres, mariadb].map((integration) => textOf(integration, "text/csv")));
    expect(oneSpelling(other!)).toBe(oneSpelling(one!));
    expect(one!.split("\n")[0]).toBe(COLUMNS.replaceAll(" ", ""));
    // NULL is nothing, the empty string is a pair of quotes.
    expect(one).toContain('"Ærø, ""quoted""\nline","",,');
  });

  it("is the same NDJSON", async () => {
    const [one, other] = await Promise.all(
      [postgres, mariadb].map((integration) => textOf(integration, "application/x-ndjson")),
    );
    expect(oneSpelling(other!)).toBe(oneSpelling(one!));
    expect(
      one!
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: number }).id),
    ).toEqual([1, 2, 3]);
  });

  it("is an Arrow stream with the same values", async () => {
    const tables = await Promise.all(
      [postgres, mariadb].map(async (integration) => {
        const accept = "application/vnd.apache.arrow.stream";
        const response = await send("POST", "/v1/query", {
          body: { sql: SQL, integration_id: integration.id },
          headers: { accept },
        });
        expect(response.status).toBe(200);
        return tableFromIPC(new Uint8Array(await response.arrayBuffer()));
      }),
    );
    for (const table of tables) {
      expect(table.numRows).toBe(3);
      expect(table.getChild("big")?.get(0)).toBe(9223372036854775807n);
      expect(table.getChild("words")?.toArray()).toEqual(['Ærø, "quoted"\nline', "tab\there", "🦭"]);
      expect(table.getChild("missing")?.get(0)).toBeNull();
      expect(table.getChild("hollow")?.get(0)).toBe("");
    }
  });

  it("is a Parquet file with the same values", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fjord-parquet-"));
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    try {
      const tables: unknown[] = [];
      for (const integration of [postgres, mariadb]) {
        const accept = "application/vnd.apache.parquet";
        const response = await send("POST", "/v1/query", {
          body: { sql: SQL, integration_id: integration.id },
          headers: { accept },
        });
        expect([response.status, response.headers.get("content-type")]).toEqual([200, accept]);
        const file = join(folder, `${integration.type}.parquet`);
        await writeFile(file, await response.bytes());
        const read = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM '${file}'`);
        tables.push(read.getRowObjectsJson());
      }
      expect(tables[0]).toMatchObject([
        { big: "9223372036854775807", exact: "12345678901234567890123456789.123456789", hollow: "", missing: null },
        { big: "-9223372036854775808", on_day: "0001-01-01", words: "tab\there", missing: "x" },
        { id: "3", on_day: null, at_time: null, at: null, words: "🦭", hollow: "NULL", uid: null },
      ]);
      expect(tables[1]).toEqual(tables[0]);
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true });
    }
  });
});

describe("a server that was seen to offer TLS", () => {
  it("is refused once it offers none, until an admin says that this is meant", async () => {
    const server = inject("postgres");
    const proxy = await startTcpProxy(server);
    const { id } = await connect("postgres", { ...server, port: Number(proxy.port) }, DATABASE);
    const path = `/v1/api/integrations/${id}`;
    const modeOf = async () =>
      (await call<{ integration: { details: { sslmode: string } } }>("GET", path)).body.integration.details.sslmode;
    expect(await modeOf()).toBe("require");
    expect(await rowsOf("SELECT 1 AS n", { integration_id: id })).toEqual([{ n: 1 }]);

    proxy.hideTls = true;
    const refused = await call<Failure>("POST", `${path}/test`);
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("offers no TLS"), error: { code: "connection_failed" } },
    });
    expect((await query("SELECT 1 AS n", { integration_id: id })).body).toMatchObject({
      success: false,
      error: { code: "connection_failed" },
    });

    const unasked = await call<Failure>("PATCH", path, { body: { credentials: { sslmode: "prefer" } } });
    expect(unasked).toMatchObject({ status: 422, body: { error: { flaws: [{ pointer: "/credentials/password" }] } } });
    const credentials = { sslmode: "prefer", password: server.password };
    const meant = await call<{ warnings: string[] }>("PATCH", path, { body: { credentials } });
    expect(meant).toMatchObject({
      status: 200,
      body: { warnings: expect.arrayContaining([expect.stringContaining("not encrypted")]) },
    });
    expect(await rowsOf("SELECT 1 AS n", { integration_id: id })).toEqual([{ n: 1 }]);
    expect(await modeOf()).toBe("prefer");

    // The next test of the connection remembers TLS once it is there again.
    proxy.hideTls = false;
    expect((await call("POST", `${path}/test`)).status).toBe(200);
    expect(await modeOf()).toBe("require");
    proxy.close();
  });
});
