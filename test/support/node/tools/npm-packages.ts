// Programs from npm that tests run, each set with a lockfile of its own. They are installed once for this machine, and
// never with the project.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedFolder } from "./cached-folder.ts";

const run = promisify(execFile);
const INSTALL_MS = 300_000;
const LOCK = ["package.json", "package-lock.json"];

/** The folder `name` of the cache with the packages that `source` locks, and beside them its `files`. */
export async function installPackages(name: string, source: string, files: readonly string[] = []): Promise<string> {
  const all = [...LOCK, ...files];
  return cachedFolder(`${name}-${await digestOf(source, all)}`, async (work) => {
    await mkdir(work);
    for (const file of all) await copyFile(join(source, file), join(work, file));
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: work, timeout: INSTALL_MS });
  });
}

/** Another folder of the cache for other files. */
export async function digestOf(source: string, files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(join(source, file)));
  return hash.digest("hex").slice(0, 16);
}
