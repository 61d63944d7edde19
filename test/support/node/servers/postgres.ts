// A PostgreSQL of its own for the tests: the machine's, else the one npm brings. TLS on, passwords checked, no
// durability.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { findBinaries, launchPostgres, runOptions, type Cluster } from "./postgres-programs.ts";
import {
  copyCertificate,
  endProcess,
  freePort,
  giveTo,
  lastComplaints,
  unprivilegedUser,
  untilReady,
} from "./server-process.ts";
import type { RunningServer, Server } from "./server.ts";

const START_MS = 30_000;
const PASSWORD = "a-test's password: ü%&";

/** Starts the server on a free port of 127.0.0.1. */
export async function startPostgres(): Promise<RunningServer> {
  const bin = await findBinaries();
  const owner = await unprivilegedUser(["postgres", "nobody"]);
  const directory = await mkdtemp(join(tmpdir(), "fjord-postgres-"));
  const cluster: Cluster = { bin, directory, data: join(directory, "data"), owner };
  await initialise(cluster);
  const { certificate, key } = await copyCertificate(directory, owner);
  const server: Server = { host: "127.0.0.1", port: await freePort(), username: "postgres", password: PASSWORD };
  const settings = {
    port: server.port,
    ssl: "on",
    ssl_cert_file: certificate,
    ssl_key_file: key,
    synchronous_commit: "off",
    full_page_writes: "off",
  };
  const launch = async () => {
    const child = launchPostgres(cluster, settings);
    const complaints = lastComplaints(child);
    await untilReady(child, START_MS, () => login(server)).catch(async (error: unknown) => {
      await endProcess(child, "SIGINT");
      throw new Error(`PostgreSQL did not start:\n${complaints.join("")}`, { cause: error });
    });
    return child;
  };
  const removeData = () => rm(directory, { recursive: true, force: true, maxRetries: 5 });
  let child = await launch().catch(async (error: unknown) => {
    await removeData();
    throw error;
  });
  return {
    server,
    async restart(meanwhile) {
      // SIGQUIT is PostgreSQL's immediate shutdown: no orderly end, and a recovery at the next start.
      await endProcess(child, "SIGQUIT");
      await meanwhile?.();
      child = await launch();
    },
    async stop() {
      // SIGINT is PostgreSQL's fast shutdown.
      await endProcess(child, "SIGINT");
      await removeData();
    },
  };
}

async function initialise(cluster: Cluster): Promise<void> {
  const { bin, directory, data, owner } = cluster;
  const passwordFile = join(directory, "password");
  await writeFile(passwordFile, PASSWORD);
  await giveTo(owner, [directory, passwordFile]);
  const account = ["-U", "postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  const options = { ...runOptions(cluster), timeout: START_MS };
  await promisify(execFile)(join(bin, "initdb"), ["-D", data, "-E", "UTF8", ...account, "--no-sync"], options);
}

async function login(server: Server): Promise<void> {
  const client = new pg.Client({
    ...server,
    user: server.username,
    database: "postgres",
    ssl: false,
    connectionTimeoutMillis: 2_000,
  });
  client.on("error", () => undefined);
  await client.connect();
  await client.end();
}
