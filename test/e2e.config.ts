import { defineConfig } from "vitest/config";
import { slowFilesFirst } from "./support/node/slow-files-first.ts";

/** They watch, stop or kill the processes of the one platform that serves all files, or measure them. */
const ALONE = ["test/e2e/{journey,refusals}.test.ts", "test/e2e/query/{cancel,memory}.test.ts"];

/** They start platforms of their own, or wait for runs, leases and retries. */
const SLOW_FILES = [
  "lake/maintenance-faults",
  "lake/maintenance",
  "syncs/faults-engine",
  "events/killed",
  "launcher/ends",
  "syncs/faults-platform",
  "syncs/faults-reading",
  "launcher/restarts",
  "launcher/refusals",
  "syncs/failures",
  "syncs/syncs",
  "syncs/history",
  "builds/jaffle-shop",
  "builds/faults",
  "automations",
  "lake/admin",
  "documents/openapi",
];

const include = ["test/e2e/**/*.test.ts"];

export default defineConfig({
  test: {
    globalSetup: ["test/support/node/servers/servers.ts", "test/support/node/platform/platform.ts"],
    sequence: { sequencer: slowFilesFirst("test/e2e", SLOW_FILES) },
    projects: [
      {
        extends: true,
        // More at a time than there are cores: most of them wait more than they work.
        test: { name: "beside each other", include, exclude: ALONE, maxWorkers: 6, sequence: { groupOrder: 0 } },
      },
      { extends: true, test: { name: "alone", include: ALONE, fileParallelism: false, sequence: { groupOrder: 1 } } },
    ],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
