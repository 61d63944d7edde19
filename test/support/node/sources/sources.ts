// The test servers as the engine's sources, and what they say of the statements they run.

import mysql, { type Connection } from "mysql2/promise";
import pg from "pg";
import { inject } from "vitest";
import type { Source } from "../../../../kernel/wire/source.ts";
import type { Server } from "../servers/server.ts";

/** A server on which no other test file has a transaction open at the time. */
export const ownPostgres = (): Server => inject("postgresPerWorker")[Number(process.env.VITEST_POOL_ID) - 1]!;

type PostgresSource = Extract<Source, { type: "postgres" }>;

/** Reached by its name, as users do. */
export const postgresSource = (
  { port, username, password }: Server,
  more: Partial<PostgresSource["credentials"]> = {},
): PostgresSource => ({
  type: "postgres",
  credentials: { host: "localhost", port: String(port), database: "postgres", username, password, ...more },
});

export const mariadbSource = (
  { host, port, username, password }: Server,
  database: string,
): Extract<Source, { type: "mysql" }> => ({
  type: "mysql",
  credentials: { host, port: String(port), database, username, password },
});

/** A client of the tests' own, as superuser. */
export async function connectPostgres(
  { host, port, username, password }: Server,
  database = "postgres",
): Promise<pg.Client> {
  const client = new pg.Client({ host, port, user: username, password, database, ssl: false });
  await client.connect();
  return client;
}

/** Makes a database of PostgreSQL's, in which `sql` is run. */
export async function newPostgres(server: Server, database: string, sql: string): Promise<void> {
  for (const [within, statement] of [
    ["postgres", `CREATE DATABASE ${database}`],
    [database, sql],
  ] as const) {
    const client = await connectPostgres(server, within);
    await client.query(statement).finally(() => client.end());
  }
}

/** Connects to MariaDB: rows come as lists, a query may hold several statements, and times are in UTC. */
export async function connectMariadb({ host, port, username, password }: Server): Promise<Connection> {
  const connection = await mysql.createConnection({
    host,
    port,
    user: username,
    password,
    multipleStatements: true,
    rowsAsArray: true,
  });
  await connection.query("SET time_zone = '+00:00'");
  return connection;
}

/** The backends that serve a statement of the engine, by its id. */
export async function backendsOf(
  client: pg.Client,
  statementId: string,
): Promise<{ state: string; wait_event: string | null }[]> {
  const { rows } = await client.query<{ state: string; wait_event: string | null }>(
    "SELECT state, wait_event FROM pg_stat_activity WHERE application_name = $1",
    [`fjord ${statementId}`.slice(0, 63)],
  );
  return rows;
}
