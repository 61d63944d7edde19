import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/containers/**/*.test.ts"],
    globalSetup: ["test/support/node/servers/servers.ts", "test/support/node/servers/postgres-per-worker.ts"],
    // For a busy machine; a condition that is polled for ends its test as soon as it holds.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // The databases of the tests are on this machine.
    env: { HOSTS_ALLOWED: "loopback" },
  },
});
