import { defineConfig } from "vitest/config";

/**
 * Files that wait more than they work: for runs, leases, retries, starts. None of them touches the shared platform's
 * processes.
 */
const WAITING = ["test/e2e/launcher.test.ts", "test/e2e/syncs/**/*.test.ts"];

export default defineConfig({
  test: {
    globalSetup: ["test/support/node/servers/servers.ts", "test/support/node/platform/platform.ts"],
    projects: [
      {
        extends: true,
        test: { name: "beside each other", include: WAITING, maxWorkers: 4, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        // These watch, stop or kill the processes of the one platform that serves them all.
        test: {
          name: "alone",
          include: ["test/e2e/**/*.test.ts"],
          exclude: WAITING,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
