// Child programs that bring children of their own: each leads a process group, is stopped as one, and never outlives
// us.

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const PARENT_WATCHDOG = join(root, "scripts", "process", "parent-watchdog.mjs");

export type Group = {
  child: ChildProcess;
  /** Resolves when the leader is gone and its output read: its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** The ids of its processes that run a program of this name. */
  running(program: string): Promise<number[]>;
  /** SIGTERM to all; SIGKILL to what is left after `graceMs`. Resolves when none is left. */
  stop(graceMs?: number): Promise<void>;
};

/** Starts a Node program as leader of a new group. `output` receives what the group prints. */
export function spawnGroup(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  output: (text: string) => void,
): Group {
  const child = spawn(process.execPath, ["--import", PARENT_WATCHDOG, join(root, script), ...args], {
    cwd: root,
    detached: true,
    env: { ...process.env, ...env, FJORD_WATCHED_PARENT: String(process.pid) },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", output);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on("error", (error) => {
      output(`${error.message}\n`);
      resolve(1);
    });
    child.on("exit", (code, signal) => {
      const end = () => resolve(code ?? signal ?? 1);
      // The end of its output may still be in the pipe; a grandchild may hold that open for good.
      child.once("close", end);
      setTimeout(end, 1_000);
    });
  });
  const stop = async (graceMs = 5_000) => {
    if (child.pid === undefined) return;
    const isGone = () => !signalGroup(child.pid!, 0);
    signalGroup(child.pid, "SIGTERM");
    if (!(await within(graceMs, isGone))) signalGroup(child.pid, "SIGKILL");
    await within(1_000, isGone);
  };
  const running = async (program: string) => {
    const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,pgid=,args="], { maxBuffer: 16 * 1024 * 1024 });
    const rows = stdout.split("\n").map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
    const own = rows.filter((row) => Number(row?.[2]) === child.pid && row![3]!.includes(`/${program} `));
    return own.map((row) => Number(row![1]));
  };
  return { child, ended, running, stop };
}

/** False when the group has no process any more. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

/** Polls until `isTrue` or the time is up; says which. */
export async function within(ms: number, isTrue: () => boolean | Promise<boolean>): Promise<boolean> {
  const until = performance.now() + ms;
  while (!(await isTrue())) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}
