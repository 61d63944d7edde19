// Properties draw by one seed, `FUZZ_SEED`, like those of the tests on Node.

import { env } from "cloudflare:workers";
import fc from "fast-check";

fc.configureGlobal({ seed: Number(env.FUZZ_SEED) });
