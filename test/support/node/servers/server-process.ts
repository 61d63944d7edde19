// Every test server needs the same of the machine: a free port, a user who is not root, a certificate, a start and an
// end.

import { execFile, type ChildProcess } from "node:child_process";
import { chmod, chown, copyFile } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Below the ports that systems give to connections of their own: a server that starts seconds later finds it free
 * still.
 */
const [PORT_MIN, PORT_MAX] = [12_000, 32_000];
const PORT_TRIES_MAX = 100;
const POLL_MS = 50;
const PIECES_MAX = 50;

/** Whom a server runs as; undefined for whoever runs the tests. */
export type Owner = { uid: number; gid: number } | undefined;

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
export async function unprivilegedUser(names: string[]): Promise<Owner> {
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

/** Copies the tests' certificate and its key into the folder of a server, for its user alone. Answers their paths. */
export async function copyCertificate(folder: string, owner: Owner): Promise<{ certificate: string; key: string }> {
  const [certificate, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  for (const file of [certificate, key]) await copyFile(join(import.meta.dirname, "tls", basename(file)), file);
  await chmod(key, 0o600);
  await giveTo(owner, [certificate, key]);
  return { certificate, key };
}

/** Makes `owner` the owner of these paths, where there is one. */
export async function giveTo(owner: Owner, paths: string[]): Promise<void> {
  if (owner) for (const path of paths) await chown(path, owner.uid, owner.gid);
}

/** Kills a child at the end of this process, which may come before anybody stops it. */
export function endWithUs(child: ChildProcess): void {
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}

/** The last pieces of what a child prints to its standard error, as they come. */
export function lastComplaints(child: ChildProcess): string[] {
  const pieces: string[] = [];
  child.stderr?.setEncoding("utf8").on("data", (text: string) => pieces.push(text) > PIECES_MAX && pieces.shift());
  child.on("error", (error) => pieces.push(error.message));
  return pieces;
}

/**
 * Resolves once `attempt` does, by which a server answers; throws its last error when the child or the time has ended.
 */
export async function untilReady(child: ChildProcess, startMs: number, attempt: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + startMs;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

/**
 * Asks a child to end, kills it when that takes longer than `graceMs`, and answers its exit code: null when it was
 * killed.
 */
export async function endProcess(child: ChildProcess, ask: NodeJS.Signals, graceMs = 10_000): Promise<number | null> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill(ask);
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  const code = await gone;
  clearTimeout(timer);
  return code;
}
