import { defineConfig } from "vitest/config";
import { slowFilesFirst } from "./support/node/slow-files-first.ts";

const SLOW_FILES = [
  "sources/conformance/snowflake",
  "sources/conformance/bigquery",
  "sources/conformance/",
  "lake/column-chunks",
  "semantic/dialects/times",
  "sync/merge/keys-mariadb",
  "sandbox/hostile-code",
  "sandbox/machines",
  "sources/extraction-failures",
  "sandbox/values",
  "lake/memory-bombs",
  "sync/merge/cases",
  "sources/bigquery/sync",
  "lake/kept/databases",
  "semantic/hostile-models",
  "maintenance/faults",
  "sync/merge/merge",
  "sandbox/server",
  "sync/append",
  "sources/sqlserver/sync",
];

export default defineConfig({
  test: {
    include: ["test/containers/**/*.test.ts"],
    setupFiles: ["test/support/node/seed.ts"],
    globalSetup: ["test/support/node/servers/servers.ts", "test/support/node/servers/postgres-per-worker.ts"],
    sequence: { sequencer: slowFilesFirst("test/containers", SLOW_FILES) },
    // For a busy machine; a condition that is polled for ends its test as soon as it holds.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than the cores of a small machine: while a test waits for a time limit, another works.
    maxWorkers: 3,
    // The databases of the tests are on this machine.
    env: { HOSTS_ALLOWED: "loopback" },
  },
});
