// A standby of a test's PostgreSQL: a base backup of it that follows its log and answers reads.

import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectPostgres } from "../sources/sources.ts";
import { findBinaries, launchPostgres, runOptions, type Cluster } from "./postgres-programs.ts";
import { endProcess, freePort, giveTo, unprivilegedUser, untilReady } from "./server-process.ts";
import type { Server } from "./server.ts";

const START_MS = 60_000;

export type Standby = {
  server: Server;
  /** Settles when all that the primary has done so far is to be seen here. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
};

/** Undefined where this machine's PostgreSQL comes without `pg_basebackup`. */
export async function startStandby(primary: Server): Promise<Standby | undefined> {
  const directory = await mkdtemp(join(tmpdir(), "fjord-standby-"));
  const owner = await unprivilegedUser(["postgres", "nobody"]);
  await giveTo(owner, [directory]);
  const cluster: Cluster = { bin: await findBinaries(), directory, data: join(directory, "data"), owner };
  const removeData = () => rm(directory, { recursive: true, force: true, maxRetries: 5 });
  try {
    await copyPrimary(primary, cluster);
  } catch (error) {
    await removeData();
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const server: Server = { ...primary, port: await freePort() };
  const child = launchPostgres(cluster, { port: server.port });
  child.stderr?.resume();
  const stop = async () => {
    await endProcess(child, "SIGINT");
    await removeData();
  };
  const until = (sql: string) =>
    untilReady(child, START_MS, async () => {
      if ((await ask(server, sql)) !== true) throw new Error("The standby does not follow.");
    });
  try {
    await until("SELECT pg_is_in_recovery()");
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    server,
    stop,
    async caughtUp() {
      const position = String(await ask(primary, "SELECT pg_current_wal_insert_lsn()::text"));
      await until(`SELECT pg_last_wal_replay_lsn() >= '${position}'::pg_lsn`);
    },
  };
}

async function copyPrimary(primary: Server, cluster: Cluster): Promise<void> {
  const from = ["-h", primary.host, "-p", String(primary.port), "-U", primary.username];
  await promisify(execFile)(
    join(cluster.bin, "pg_basebackup"),
    [...from, "-D", cluster.data, "-R", "-X", "stream", "--checkpoint=fast", "--no-sync"],
    { ...runOptions(cluster, { PGPASSWORD: primary.password }), timeout: START_MS },
  );
  await chmod(cluster.data, 0o700);
}

/** The one value of a statement's one row. */
async function ask(server: Server, sql: string): Promise<unknown> {
  const client = await connectPostgres(server);
  try {
    return Object.values((await client.query<Record<string, unknown>>(sql)).rows[0]!)[0];
  } finally {
    await client.end();
  }
}
