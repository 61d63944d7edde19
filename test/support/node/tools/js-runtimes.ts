// Bun and Deno, each as one program that npm brings.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./npm-packages.ts";

const source = fileURLToPath(new URL("js-runtimes", import.meta.url));

export type Runtimes = { bun: string; deno: string };

/** The paths of the programs, which the first time on a machine come from npm. */
export async function fetchRuntimes(): Promise<Runtimes> {
  const folder = await installPackages("js-runtimes/packages", source);
  return { bun: await programOf(folder, "@oven", "bin/bun"), deno: await programOf(folder, "@deno", "deno") };
}

/** npm has installed the one package of the scope that is for this machine. */
async function programOf(folder: string, scope: string, path: string): Promise<string> {
  const packages = join(folder, "node_modules", scope);
  const [name] = await readdir(packages);
  if (name === undefined) throw new Error(`npm has no package of ${scope} for this machine.`);
  return join(packages, name, path);
}
