import { defineConfig } from "vitest/config";
import { slowFilesFirst } from "./support/node/slow-files-first.ts";

/** They watch, stop or kill the processes of the one platform that serves all files, or measure them. */
const ALONE = ["test/e2e/{journey,refusals}.test.ts", "test/e2e/query/{cancel,memory}.test.ts"];

/** They start platforms of their own, wait for runs, leases and retries, or do much. */
const SLOW_FILES = [
  "syncs/faults-engine",
  "events/killed",
  "syncs/faults-platform",
  "builds/jaffle-shop",
  "lake/maintenance-faults",
  "builds/faults",
  "syncs/faults-reading",
  "documents/pages",
  "launcher/ends",
  "lake/maintenance",
  "documents/openapi",
  "sources/journey",
  "launcher/restarts",
  "syncs/failures",
  "automations",
  "clients/cli",
  "clients/python",
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
