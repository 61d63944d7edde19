// The gate before PostgreSQL, in a thread of its own.

import { ParserGate } from "./parser-gate.ts";

export const postgresGate = new ParserGate(new URL("./gate-thread.ts", import.meta.url));
