// The gate before Redshift, in a thread of its own.

import { ParserGate } from "../../postgres/gate/parser-gate.ts";

export const redshiftGate = new ParserGate(new URL("./gate-thread.ts", import.meta.url));
