// A standby of a test's PostgreSQL: a base backup of it that follows its log and answers reads.

import { execFile, spawn } from "node:child_process";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findBinaries } from "./postgres.ts";
import { endProcess, freePort, unprivilegedUser } from "./server-process.ts";
import type { Server } from "./server.ts";
import { connectPostgres } from "../sources/sources.ts";

const START_MS = 60_000;

export type Standby = {
  server: Server;
  /** Settles when all that the primary has done so far is to be seen here. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
};

/** Undefined where this machine's PostgreSQL comes without `pg_basebackup`. */
export async function startStandby(primary: Server): Promise<Standby | undefined> {
  const bin = await findBinaries();
  const user = await unprivilegedUser(["postgres", "nobody"]);
  const directory = await mkdtemp(join(tmpdir(), "fjord-standby-"));
  if (user) await chown(directory, user.uid, user.gid);
  const data = join(directory, "data");
  const options = {
    ...user,
    cwd: directory,
    env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8", PGPASSWORD: primary.password },
  };
  const from = ["-h", primary.host, "-p", String(primary.port), "-U", primary.username];
  try {
    await promisify(execFile)(
      join(bin, "pg_basebackup"),
      [...from, "-D", data, "-R", "-X", "stream", "--checkpoint=fast", "--no-sync"],
      { ...options, timeout: START_MS },
    );
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  await chmod(data, 0o700);
  const server: Server = { ...primary, port: await freePort() };
  const settings = {
    listen_addresses: "127.0.0.1",
    port: server.port,
    unix_socket_directories: "",
    fsync: "off",
    max_connections: 100,
    max_prepared_transactions: 5,
    logging_collector: "off",
  };
  const child = spawn(
    join(bin, "postgres"),
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...options, stdio: "ignore" },
  );
  const stop = async () => {
    await endProcess(child, "SIGINT");
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  const until = async (what: () => Promise<boolean>): Promise<void> => {
    for (
      const end = Date.now() + START_MS;
      !(await what().catch(() => false));
      await new Promise((resolve) => setTimeout(resolve, 50))
    ) {
      if (Date.now() > end || child.exitCode !== null) throw new Error("The standby does not follow.");
    }
  };
  const ask = async (at: Server, sql: string): Promise<unknown> => {
    const client = await connectPostgres(at);
    try {
      return Object.values((await client.query<Record<string, unknown>>(sql)).rows[0]!)[0];
    } finally {
      await client.end();
    }
  };
  const caughtUp = async () => {
    const place = String(await ask(primary, "SELECT pg_current_wal_insert_lsn()::text"));
    await until(async () => (await ask(server, `SELECT pg_last_wal_replay_lsn() >= '${place}'::pg_lsn`)) === true);
  };
  try {
    await until(async () => (await ask(server, "SELECT pg_is_in_recovery()")) === true);
  } catch (error) {
    await stop();
    throw error;
  }
  return { server, caughtUp, stop };
}
