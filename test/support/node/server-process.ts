// What every test server needs of the machine: a free port, somebody who is not root, an end.

import { execFile, type ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A port of 127.0.0.1 that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port"))));
    });
  });

/** Whom a server that refuses to be root runs as: the first of `names` this machine has. Undefined when we are not root. */
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
