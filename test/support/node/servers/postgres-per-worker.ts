// A PostgreSQL for each worker: what a run reads depends on the oldest transaction that is open anywhere on its server.

import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";
import type { Server } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresPerWorker: Server[];
  }
}

/** The first worker's is the one there is already. */
export default async function setup(project: TestProject) {
  const others = await Promise.all(Array.from({ length: project.config.maxWorkers - 1 }, startPostgres));
  project.provide("postgresPerWorker", [project.getProvidedContext().postgres, ...others.map(({ server }) => server)]);
  return () => Promise.all(others.map(({ stop }) => stop()));
}
