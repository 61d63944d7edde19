// What every test server needs of the machine: a free port, somebody who is not root, an end.

import { execFile, type ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Below the ports that systems give to connections of their own: a server that starts seconds later finds it free
 * still.
 */
const [PORT_MIN, PORT_MAX] = [12_000, 32_000];
const PORT_TRIES_MAX = 100;

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORT_TRIES_MAX; tries++) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN));
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${PORT_MIN} and ${PORT_MAX} is free.`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().on("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

/**
 * Whom a server that refuses to be root runs as: the first of `names` this machine has. Undefined when we are not root.
 */
export async function unprivilegedUser(names: string[]): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of names) {
    try {
      const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // No such user here: try the next.
    }
  }
  throw new Error(`The tests run as root, and the database does not: one of the users ${names.join(", ")} is needed.`);
}

/** Asks a child to end, and makes it end after ten seconds. */
export async function endProcess(child: ChildProcess, ask: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(ask);
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await gone;
  clearTimeout(timer);
}
