import { defineConfig } from "vitest/config";
import { slowFilesFirst } from "./support/node/slow-files-first.ts";

const SLOW_FILES = ["browser/screens", "browser/random-walk", "browser/dialogs"];

/** Pure code of the console needs no platform; a browser needs one, which serves all files. */
export default defineConfig({
  test: {
    sequence: { sequencer: slowFilesFirst("test/console", SLOW_FILES) },
    projects: [
      { test: { name: "unit", include: ["test/console/{build,unit}/**/*.test.ts"] } },
      {
        test: {
          name: "browser",
          include: ["test/console/browser/**/*.test.ts"],
          globalSetup: ["test/support/node/servers/servers.ts", "test/support/node/platform/platform.ts"],
          maxWorkers: 2,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
