import { defineConfig } from "vitest/config";

/** The clients are fetched before anything starts; they and the platform have the machine for one file at a time. */
export default defineConfig({
  test: {
    include: ["test/engines/**/*.test.ts"],
    globalSetup: ["test/support/node/engines/fetch-clients.ts", "test/support/node/platform/platform.ts"],
    fileParallelism: false,
    testTimeout: 480_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
