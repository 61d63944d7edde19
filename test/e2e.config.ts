import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    globalSetup: ["test/support/node/servers.ts", "test/support/node/platform.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // One platform serves every file, and several tests watch its memory and its processes.
    fileParallelism: false,
  },
});
