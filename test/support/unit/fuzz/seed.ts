// The same as of the tests on Node: properties draw by one seed, `FUZZ_SEED`.

import { env } from "cloudflare:workers";
import fc from "fast-check";

fc.configureGlobal({ seed: Number(env.FUZZ_SEED) });
