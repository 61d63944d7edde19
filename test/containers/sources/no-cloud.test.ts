// The stand-ins for clouds' clients: drivers load them, and the lockfile has no real one beside.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const FOLDER = "containers/engine/sources/no-cloud";

type Locked = { packages: Record<string, { link?: boolean; dev?: boolean; resolved?: string }> };

it("are the only packages of their names that an engine is given", async () => {
  const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as Locked;
  const folders = (await readdir(join(ROOT, FOLDER))).map((name) => `${FOLDER}/${name}`);
  expect(folders.length).toBeGreaterThan(0);
  for (const folder of folders) {
    const { name } = JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8")) as { name: string };
    const installed = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
    expect(installed, name).toEqual([
      [`node_modules/${name}`, expect.objectContaining({ resolved: folder, link: true })],
    ]);
  }
});

it("leave no other package of a cloud's in what an engine installs", async () => {
  const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as Locked;
  const clouds = Object.entries(packages).filter(
    ([path, { link, dev }]) => /node_modules\/@(azure|aws-sdk|aws-crypto|smithy)\/[^/]+$/.test(path) && !link && !dev,
  );
  expect(clouds.map(([path]) => path)).toEqual([]);
});
