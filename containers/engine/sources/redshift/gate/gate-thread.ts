// The worker thread that checks statements for Redshift.

import { serveGate } from "../../postgres/gate/serve-gate.ts";
import { REDSHIFT_RULES } from "./rules.ts";

await serveGate(REDSHIFT_RULES);
