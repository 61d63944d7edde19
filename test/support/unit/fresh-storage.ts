// Before each file: no rows, no objects, no Durable Objects, and the tables. workerd outlives a file, what a file has
// stored doesn't.

import { reset } from "cloudflare:test";
import { createTables } from "./runtime/tables.ts";

await reset();
await createTables();
