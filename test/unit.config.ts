import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
// Lays out the files of /docs, which the Worker under test serves too.
import "../scripts/docs-assets.mjs";

export default defineConfig(async () => {
  const migrations = await readD1Migrations("./migrations");
  return {
    plugins: [
      cloudflareTest(({ inject }) => ({
        wrangler: { configPath: "./wrangler.toml" },
        miniflare: { bindings: { ...inject("workerBindings"), TEST_MIGRATIONS: migrations } },
      })),
    ],
    test: {
      include: ["test/unit/**/*.test.ts"],
      globalSetup: ["test/support/node/platform/worker-bindings.ts", "test/support/node/sync/sync-source.ts"],
      // One workerd runs many files: to start it and to load the Worker anew takes longer than most files do. The setup
      // gives each file storage of its own all the same. Two at a time, since some files wait most of their time; the
      // ring's supervisor has room for two.
      isolate: false,
      maxWorkers: 2,
      setupFiles: ["test/support/unit/fresh-storage.ts"],
      // These only end what hangs: a machine may be as slow as it likes.
      testTimeout: 240_000,
      hookTimeout: 240_000,
    },
  };
});
