// Bun and Deno, each as one program that npm brings.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cachedFolder } from "./cached-folder.ts";

const run = promisify(execFile);
const source = fileURLToPath(new URL("js-runtimes", import.meta.url));
const FILES = ["package.json", "package-lock.json"];
const INSTALL_MS = 300_000;

export type Runtimes = { bun: string; deno: string };

/** The paths of the programs, which the first time on a machine come from npm. */
export async function fetchRuntimes(): Promise<Runtimes> {
  const hash = createHash("sha256");
  for (const name of FILES) hash.update(await readFile(join(source, name)));
  const folder = await cachedFolder(join("js-runtimes", hash.digest("hex").slice(0, 16)), async (work) => {
    await mkdir(work, { recursive: true });
    for (const name of FILES) await copyFile(join(source, name), join(work, name));
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: work, timeout: INSTALL_MS });
  });
  return { bun: await programOf(folder, "@oven", "bin/bun"), deno: await programOf(folder, "@deno", "deno") };
}

/** npm has installed the one package of the scope that is for this machine. */
async function programOf(folder: string, scope: string, path: string): Promise<string> {
  const packages = join(folder, "node_modules", scope);
  const [name] = await readdir(packages);
  if (name === undefined) throw new Error(`npm has no package of ${scope} for this machine.`);
  return join(packages, name, path);
}
