// The engine's production packages are measured on disk; the lockfile says which those are.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../support/program.ts";

type Locked = {
  packages: Record<
    string,
    {
      link?: boolean;
      resolved?: string;
      dependencies?: Record<string, string>;
      optionalDependencies?: Record<string, string>;
    }
  >;
};

const ENGINE = "containers/engine";

/** The size of what is installed here; `without`: direct dependencies that are taken for absent. */
export async function installedSize(without: readonly string[]): Promise<{ megabytes: number; packages: number }> {
  const locked = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as Locked;
  const found = new Set<string>();
  const waiting = [ENGINE];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies, optionalDependencies } = locked.packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const at = path === ENGINE && without.includes(name) ? undefined : resolve(locked, path, name);
      if (at === undefined || found.has(at)) continue;
      found.add(at);
      waiting.push(at);
    }
  }
  const sizes = await Promise.all([...found].map((path) => sizeOf(join(ROOT, path))));
  return { megabytes: sizes.reduce((sum, size) => sum + size, 0) / 1e6, packages: sizes.filter(Boolean).length };
}

/** Resolves a package from the folder of another, like Node. */
function resolve({ packages }: Locked, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules") - 1))) {
    const at = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (packages[at]) return at;
    if (folder === "") return undefined;
    if (!folder.includes("node_modules")) folder = "";
  }
}

/** Without packages within it, which are others' or its own by the lockfile. */
async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") size += await sizeOf(path);
    else if (entry.isFile()) size += (await stat(path)).size;
  }
  return size;
}
