// A MariaDB of its own for the tests: TLS on, passwords checked, no durability.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mysql from "mysql2";
import { findMariadb, type MariadbPrograms } from "./mariadb-programs.ts";
import {
  copyCertificate,
  endProcess,
  endWithUs,
  freePort,
  giveTo,
  lastComplaints,
  type Owner,
  unprivilegedUser,
  untilReady,
} from "./server-process.ts";
import type { RunningServer, Server } from "./server.ts";

const START_MS = 60_000;

/** Starts the server on a free port of 127.0.0.1, with TLS unless `tls` is false. */
export async function startMariadb({ tls = true } = {}): Promise<RunningServer> {
  const programs = await findMariadb();
  // Nobody but root can read a cache folder in root's home.
  const owner = programs.cached ? undefined : await unprivilegedUser(["mysql", "nobody"]);
  const directory = await mkdtemp(join(tmpdir(), "fjord-mariadb-"));
  const server: Server = {
    host: "127.0.0.1",
    port: await freePort(),
    username: "fjord",
    password: "a-test's password: ü%&",
  };
  const children: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(children.map((child) => endProcess(child, "SIGTERM")));
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await writeFiles(directory, server, owner);
    await initialise(programs, directory, owner, children);
    const launch = () => start(programs, settings(programs, directory, server, tls), owner, children);
    await answers(server, launch());
    const restart = async (meanwhile?: () => Promise<unknown>) => {
      await endProcess(children.at(-1)!, "SIGKILL");
      await meanwhile?.();
      await answers(server, launch());
    };
    return { server, restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function writeFiles(directory: string, { username, password }: Server, owner: Owner): Promise<void> {
  await mkdir(join(directory, "data"));
  const account = `'${username}'@'%'`;
  const start = [
    `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${password.replaceAll("'", "''")}'`,
    `GRANT ALL PRIVILEGES ON *.* TO ${account} WITH GRANT OPTION`,
  ];
  await writeFile(join(directory, "start.sql"), start.map((statement) => `${statement};\n`).join(""));
  await giveTo(owner, [directory, join(directory, "data"), join(directory, "start.sql")]);
  await copyCertificate(directory, owner);
}

const common = ({ base, share, cached }: MariadbPrograms, directory: string) => [
  "--no-defaults",
  `--basedir=${base}`,
  `--lc-messages-dir=${share}`,
  `--datadir=${join(directory, "data")}`,
  `--tmpdir=${directory}`,
  "--innodb-buffer-pool-size=64M",
  "--innodb-log-file-size=32M",
  "--innodb-use-native-aio=0",
  "--innodb-flush-log-at-trx-commit=0",
  "--innodb-doublewrite=0",
  "--sync-binlog=0",
  ...(cached && process.getuid?.() === 0 ? ["--user=root"] : []),
];

const settings = (programs: MariadbPrograms, directory: string, { port }: Server, tls: boolean) => [
  ...common(programs, directory),
  `--port=${port}`,
  "--bind-address=127.0.0.1",
  `--socket=${join(directory, "socket")}`,
  `--pid-file=${join(directory, "pid")}`,
  ...(tls
    ? [`--ssl-cert=${join(directory, "server.crt")}`, `--ssl-key=${join(directory, "server.key")}`]
    : ["--skip-ssl"]),
  `--init-file=${join(directory, "start.sql")}`,
  "--skip-name-resolve",
  "--max-connections=100",
  "--max-allowed-packet=256M",
  "--character-set-server=utf8mb4",
];

/** Writes the system tables, which is all that a fresh data folder needs. */
async function initialise(
  programs: MariadbPrograms,
  directory: string,
  owner: Owner,
  children: ChildProcess[],
): Promise<void> {
  const scripts: string[] = [];
  for (const name of ["system_tables.sql", "performance_tables.sql", "system_tables_data.sql"]) {
    scripts.push(
      await readFile(join(programs.share, `mysql_${name}`), "utf8").catch(() =>
        readFile(join(programs.share, `mariadb_${name}`), "utf8"),
      ),
    );
  }
  const child = start(programs, [...common(programs, directory), "--bootstrap", "--skip-networking"], owner, children);
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve).once("error", () => resolve(null)));
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(
    `CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\nSET @skip_auth_anonymous=1;\n${scripts.join("\n")}`,
  );
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const status = await gone;
  clearTimeout(timer);
  if (status !== 0) throw new Error(`MariaDB could not write its system tables:\n${complaints.get(child)?.join("")}`);
}

/** What each child last complained about. */
const complaints = new WeakMap<ChildProcess, string[]>();

function start({ server, env }: MariadbPrograms, args: string[], owner: Owner, children: ChildProcess[]): ChildProcess {
  const child = spawn(server, args, { ...owner, env, cwd: tmpdir(), stdio: ["pipe", "ignore", "pipe"] });
  complaints.set(child, lastComplaints(child));
  // A test run that crashes calls no `stop`.
  endWithUs(child);
  children.push(child);
  return child;
}

async function answers(server: Server, child: ChildProcess): Promise<void> {
  await untilReady(child, START_MS, () => login(server)).catch((error: Error) => {
    throw new Error(`MariaDB did not start (${error.message}):\n${complaints.get(child)?.join("")}`);
  });
}

const login = ({ host, port, username, password }: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    const connection = mysql.createConnection({ host, port, user: username, password, connectTimeout: 2_000 });
    connection.on("error", reject);
    connection.connect((error) => {
      connection.destroy();
      if (error) reject(error);
      else resolve();
    });
  });
