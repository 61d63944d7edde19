// Before each file: no rows, no objects, no Durable Objects, and the tables. workerd outlives a file, what a file has
// stored doesn't.

import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
