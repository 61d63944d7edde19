// The processes that run on this machine are listed as `ps` shows them, alike on Linux and macOS.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** `rssBytes` is resident memory; `command` the whole command line. */
export type Running = { pid: number; parent: number; group: number; rssBytes: number; command: string };

/** Every process but those that are dead and only wait to be reaped. */
export async function listProcesses(): Promise<Running[]> {
  const { stdout } = await run("ps", ["-eo", "pid=,ppid=,pgid=,rss=,stat=,args="], { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, group, rss, state, command] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (command === undefined || state!.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), rssBytes: Number(rss) * 1024, command }];
  });
}

/** The process and everything it started, children of children included. */
export async function listFamily(ancestor: number): Promise<Running[]> {
  const all = await listProcesses();
  const family = new Set([ancestor]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => family.has(pid));
}

/** The processes of `before` that still run. A process id given to another program meanwhile does not count. */
export async function survivorsOf(before: Running[]): Promise<Running[]> {
  const all = await listProcesses();
  return all.filter(({ pid, command }) => before.some((one) => one.pid === pid && one.command === command));
}

/** Whether a process runs a program whose command line holds this. */
export const isRunning =
  (program: string) =>
  ({ command }: Running): boolean =>
    command.includes(program);

/** The path of a program of ours, as its command line ends. Throws when it has moved: a test would look for nothing. */
function programAt(path: string): string {
  if (!existsSync(join(import.meta.dirname, "../../../..", path))) throw new Error(`There is no program ${path}.`);
  return path;
}

export const ENGINE_PROGRAM = programAt("containers/engine/main.ts");
export const QUERY_PROGRAM = programAt("containers/engine/lake/process/program.ts");
