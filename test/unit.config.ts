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
      globalSetup: ["test/support/node/worker-bindings.ts", "test/support/node/sync-source.ts"],
      setupFiles: ["test/support/unit/migrate.ts"],
      testTimeout: 30_000,
    },
  };
});
