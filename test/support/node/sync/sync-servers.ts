// Both servers for a suite of syncs, and a schema of that suite's own on each.

import type { Connection } from "mysql2/promise";
import type pg from "pg";
import { afterAll, inject } from "vitest";
import { connectMariadb, connectPostgres, ownPostgres } from "../sources/sources.ts";

/** Superusers of both; they are closed, and the schema is dropped, after the suite. To be awaited at its top. */
export async function openSyncServers(schema: string): Promise<{ client: pg.Client; root: Connection }> {
  const [client, root] = await Promise.all([connectPostgres(ownPostgres()), connectMariadb(inject("mariadb"))]);
  afterAll(async () => {
    await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await client.end();
    await root.query(`DROP DATABASE IF EXISTS ${schema}`);
    await root.end();
  });
  return { client, root };
}
