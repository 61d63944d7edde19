// Packages that a benchmark holds ours against are no dependencies of the project: it fetches them when it first runs.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { cachedFolder } from "../../../test/support/node/tools/cached-folder.ts";
import { runProgram } from "./program.ts";

/** The package's folder, from npm into the cache folder once a machine. */
export async function packageFolder(name: string, version: string): Promise<string> {
  const folder = await cachedFolder(join("bench", `${name}-${version}`), async (work) => {
    await mkdir(work, { recursive: true });
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", work];
    await runProgram("npm", ["install", ...options, `${name}@${version}`]);
  });
  return join(folder, "node_modules", name);
}
