// Tests are given the Worker's own bindings and entry by `cloudflare:workers`.

type WorkerEnv = Env;

declare namespace Cloudflare {
  interface Env extends WorkerEnv {
    FUZZ_REQUESTS: string;
    SOAK_EVENTS: string;
    FUZZ_SEED: string;
    TEST_MIGRATIONS: import("@cloudflare/vitest-pool-workers").D1Migration[];
  }
  interface GlobalProps {
    mainModule: typeof import("../../../src/index.ts");
  }
}
