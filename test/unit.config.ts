import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import type { TestProject } from "vitest/node";
// The files of /docs and of the console, which the Worker under test serves too.
import "../scripts/assets/build.mjs";
import { inQuickFolder } from "./support/node/memory.ts";
import { slowFilesFirst } from "./support/node/slow-files-first.ts";

/** They wait for retries and time limits, or play out many interleavings. */
const SLOW_FILES = [
  "http/fuzz",
  "features/automations/runs/ten-thousand",
  "platform/engine/engine-object",
  "platform/sandbox/sandbox",
  "lake/catalog/simulation",
  "features/lakes/collection",
  "features/syncs/runs/start-due",
  "features/query/run",
  "features/syncs/runs/simulation",
];

/** How many requests the fuzzing of all operations sends, and the seed of all that is drawn by chance. */
const FUZZING = { FUZZ_REQUESTS: process.env["FUZZ_REQUESTS"] ?? "5000", FUZZ_SEED: process.env["FUZZ_SEED"] || "1" };
/** Events of the soak test: a hundred thousand take a quarter of an hour. */
const SOAKING = { SOAK_EVENTS: process.env["SOAK_EVENTS"] ?? "2000" };

/**
 * A worker is handed all that is known of its files' modules in one message, which the runtime takes up to 32 MiB of:
 * the source maps of libraries, which are most of their bytes, are left out.
 */
const librariesWithoutMaps = {
  name: "libraries-without-maps",
  enforce: "post" as const,
  transform: (code: string, id: string) =>
    id.includes("/node_modules/") ? { code, map: { mappings: "" as const } } : undefined,
};

const runtimesInMemory = {
  name: "runtimes-in-memory",
  enforce: "post" as const,
  configureVitest({ project: { config } }: { project: TestProject }) {
    config.poolRunner = inQuickFolder(config.poolRunner!);
  },
};

export default defineConfig(async () => {
  const migrations = await readD1Migrations("./migrations");
  return {
    plugins: [
      librariesWithoutMaps,
      cloudflareTest(({ inject }) => ({
        wrangler: { configPath: "./wrangler.toml" },
        miniflare: { bindings: { ...inject("workerBindings"), ...FUZZING, ...SOAKING, TEST_MIGRATIONS: migrations } },
      })),
      runtimesInMemory,
    ],
    test: {
      include: ["test/unit/**/*.test.ts"],
      globalSetup: ["test/support/node/platform/worker-bindings.ts", "test/support/node/sync/sync-source.ts"],
      // One workerd runs many files: to start it and to load the Worker anew takes longer than most files do. The setup
      // gives each file storage of its own all the same. More of them than cores, since some files wait most of their
      // time; the ring's supervisor has capacity for them.
      isolate: false,
      maxWorkers: 4,
      sequence: { sequencer: slowFilesFirst("test/unit", SLOW_FILES) },
      setupFiles: ["test/support/unit/fresh-storage.ts", "test/support/unit/fuzz/seed.ts"],
      // These only end what hangs: a machine may be as slow as it likes.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 60_000 } },
    },
  };
});
