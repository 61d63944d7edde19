// The real databases every ring of Node tests shares: one PostgreSQL and one MariaDB, on free ports.

import type { TestProject } from "vitest/node";
import { startMariadb } from "./mariadb.ts";
import { startPostgres } from "./postgres.ts";

/** How a test reaches a server as its superuser. */
export type Server = { host: string; port: number; username: string; password: string };

declare module "vitest" {
  interface ProvidedContext {
    postgres: Server;
    mariadb: Server;
  }
}

export default async function setup(project: TestProject) {
  const [postgres, mariadb] = await Promise.all([startPostgres(), startMariadb()]);
  project.provide("postgres", postgres.server);
  project.provide("mariadb", mariadb.server);
  return () => Promise.all([postgres.stop(), mariadb.stop()]);
}
