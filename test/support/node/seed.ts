// The seed of all that tests draw by chance: the same in each run, so that one is red for what was changed and never
// by bad luck. `FUZZ_SEED=…` has others drawn.

import fc from "fast-check";

export const SEED = Number(process.env["FUZZ_SEED"] || 1);

fc.configureGlobal({ seed: SEED });
