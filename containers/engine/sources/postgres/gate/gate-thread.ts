// The worker thread that checks statements for PostgreSQL.

import { POSTGRES_RULES } from "./gate-rules.ts";
import { serveGate } from "./serve-gate.ts";

await serveGate(POSTGRES_RULES);
