// The tests' MariaDB comes from the machine, else from Debian's packages, unpacked into a cache folder without root.

import { execFile } from "node:child_process";
import { access, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { unpackDebian } from "../tools/debian.ts";

const run = promisify(execFile);

/**
 * A server program, its installation's folder, its SQL scripts' folder, and the environment that lets it find its
 * libraries.
 */
export type MariadbPrograms = { server: string; base: string; share: string; env: NodeJS.ProcessEnv; cached: boolean };

export async function findMariadb(): Promise<MariadbPrograms> {
  const installed =
    (await programsUnder("/usr")) ?? (await programsUnder("/usr/local")) ?? (await programsUnder("/opt/homebrew"));
  if (installed) return installed;
  const cache = cacheOf("mariadb");
  const root = join(cache, "root");
  const cached = await programsUnder(join(root, "usr"), root);
  if (cached) return cached;
  try {
    await unpackPackages("mariadb-server-core", cache, root);
  } catch (error) {
    throw new Error(
      "The tests need MariaDB: install it (Debian: apt-get install mariadb-server; macOS: brew install mariadb). Fetching Debian's packages into a cache folder did not work either.",
      { cause: error },
    );
  }
  const unpacked = await programsUnder(join(root, "usr"), root);
  if (!unpacked)
    throw new Error(
      "Debian's mariadb-server-core holds no mariadbd where it was looked for. Install MariaDB (apt-get install mariadb-server).",
    );
  return unpacked;
}

/** Debian's client, unpacked; a benchmark's, where the machine has none. */
export async function findMariadbClient(): Promise<{ file: string; env: NodeJS.ProcessEnv }> {
  const cache = cacheOf("mariadb-client");
  const root = join(cache, "root");
  const file = join(root, "usr/bin/mariadb");
  try {
    if (!(await firstThatExists([file]))) await unpackPackages("mariadb-client-core", cache, root);
    await access(file);
  } catch (error) {
    throw new Error(
      "This needs the client of MariaDB: install it (Debian: apt-get install mariadb-client; macOS: brew install mariadb). Fetching Debian's packages into a cache folder did not work either.",
      { cause: error },
    );
  }
  return { file, env: { LD_LIBRARY_PATH: (await libraryFolders(root)).join(":") } };
}

const cacheOf = (name: string): string => join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "fjord", name);

async function programsUnder(base: string, root?: string): Promise<MariadbPrograms | undefined> {
  const server = await firstThatExists([
    join(base, "sbin/mariadbd"),
    join(base, "bin/mariadbd"),
    join(base, "libexec/mariadbd"),
  ]);
  const tables = await firstThatExists([
    join(base, "share/mysql/mysql_system_tables.sql"),
    join(base, "share/mariadb/mysql_system_tables.sql"),
    join(base, "share/mariadb/mariadb_system_tables.sql"),
  ]);
  if (!server || !tables) return undefined;
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
  if (root) env.LD_LIBRARY_PATH = (await libraryFolders(root)).join(":");
  return { server, base, share: join(tables, ".."), env, cached: root !== undefined };
}

async function firstThatExists(paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    try {
      await access(path);
      return path;
    } catch {
      // Try the next.
    }
  }
  return undefined;
}

/** `usr/lib/<machine>` and `lib/<machine>` of an unpacked tree. */
async function libraryFolders(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ["usr/lib", "lib"]) {
    const names = await readdir(join(root, folder)).catch(() => []);
    found.push(...names.filter((name) => name.includes("-linux-")).map((name) => join(root, folder, name)));
  }
  return found;
}

/** Downloads a package with the libraries this machine lacks, and puts the whole tree in place at once. */
const unpackPackages = (name: string, cache: string, root: string): Promise<void> =>
  unpackDebian(cache, root, name, async (apt) => {
    const { stdout } = await apt(
      "apt-cache",
      "depends",
      "--recurse",
      "--no-recommends",
      "--no-suggests",
      "--no-conflicts",
      "--no-breaks",
      "--no-replaces",
      "--no-enhances",
      name,
    );
    const wanted = [...new Set(stdout.split("\n").filter((line) => /^[a-z0-9]/.test(line)))].filter(
      (each) => /^lib|^zlib/.test(each) && each !== "libc6",
    );
    const missing: string[] = [];
    for (const each of wanted) if (!(await isInstalled(each))) missing.push(each);
    return missing;
  });

async function isInstalled(name: string): Promise<boolean> {
  try {
    return (await run("dpkg-query", ["-W", "-f", "${db:Status-Status}", name])).stdout.includes("installed");
  } catch {
    return false;
  }
}
