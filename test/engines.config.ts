import { defineConfig } from "vitest/config";
import { slowFilesFirst } from "./support/node/slow-files-first.ts";

const SLOW_FILES = ["minute", "clients", "trino-dialect", "own-trino", "dbt-trino"];

/** The clients are fetched before anything starts. */
export default defineConfig({
  test: {
    include: ["test/engines/**/*.test.ts"],
    globalSetup: ["test/support/node/engines/fetch-clients.ts", "test/support/node/platform/platform.ts"],
    sequence: { sequencer: slowFilesFirst("test/engines", SLOW_FILES) },
    // One file waits for credentials, clocks and starts of others while another one works.
    maxWorkers: 3,
    testTimeout: 480_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
