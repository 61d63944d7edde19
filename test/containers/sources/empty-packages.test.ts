// Clouds' clients that drivers load and nothing here uses: the lockfile has an empty package in place of each.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");

type Locked = { packages: Record<string, { name?: string; dev?: boolean }> };

it("are empty, each of them, in what an engine installs", async () => {
  const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as Locked;
  const clouds = Object.entries(packages).filter(
    ([path, { dev }]) => /node_modules\/@(azure|aws-sdk|aws-crypto|smithy)\/[^/]+$/.test(path) && !dev,
  );
  expect(clouds.length).toBeGreaterThan(0);
  expect(clouds.filter(([, { name }]) => name !== "@favware/skip-dependency").map(([path]) => path)).toEqual([]);
});
