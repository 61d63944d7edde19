// Suites of appends share this: both servers with a schema of the suite's own on each, and the words of a run.

import { inject } from "vitest";
import { mariadbSource, ownPostgres, postgresSource } from "../sources/sources.ts";
import { openSyncServers } from "./sync-servers.ts";
import { SyncBench, type Ran } from "./test-sync.ts";

export type AppendServer = {
  /** Makes the schema anew, and opens a bench on it. */
  open(): Promise<SyncBench>;
  query(sql: string): Promise<unknown>;
  /** A query of the whole numbers `seq`. */
  series(from: number, upTo: number): string;
};

/** To be awaited at a suite's top. */
export async function openAppendSuite(schema: string) {
  const [postgres, mariadb] = [ownPostgres(), inject("mariadb")];
  const { client, root } = await openSyncServers(schema);
  const servers: Record<"PostgreSQL" | "MariaDB", AppendServer> = {
    PostgreSQL: {
      async open() {
        await client.query(
          `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}; SET search_path = ${schema}; SET timezone = 'UTC'`,
        );
        return SyncBench.open(postgresSource(postgres));
      },
      query: (sql) => client.query(sql),
      series: (from, upTo) => `SELECT i AS seq FROM generate_series(${from}, ${upTo}) AS i`,
    },
    MariaDB: {
      async open() {
        await root.query(`DROP DATABASE IF EXISTS ${schema}; CREATE DATABASE ${schema}; USE ${schema}`);
        return SyncBench.open(mariadbSource(mariadb, schema));
      },
      query: (sql) => root.query(sql),
      series: (from, upTo) => `SELECT seq FROM seq_${from}_to_${upTo}`,
    },
  };
  const append = (name: string, cursor?: string) => ({
    tables: [`${schema}.${name}`],
    loadMethod: "append" as const,
    ...(cursor !== undefined && { cursors: { [`${schema}.${name}`]: cursor } }),
  });
  return { client, root, servers, append };
}

/** The one table of a run. */
export const only = (ran: Ran) => ran.progress.tables[0]!;
export const codesOf = (ran: Ran) => (only(ran).warnings ?? []).map(({ code }) => code);
