// The whole platform as `npm start` runs it, with a state folder and a port of its own.

import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { endProcess, freePort } from "../../test/support/node/servers/server-process.ts";
import { ROOT } from "./program.ts";

const START_MS = 300_000;

export type Platform = {
  url: string;
  /** The demo team's admin. */
  key: string;
  state: string;
  /** Every process under the launcher whose command line holds `part`. */
  find(part: string): Promise<number[]>;
  stop(): Promise<void>;
};

export async function startPlatform(): Promise<Platform> {
  const state = await mkdtemp(join(tmpdir(), "fjord-bench-state-"));
  const port = await freePort();
  const child = spawn(process.execPath, [join(ROOT, "scripts/start/main.ts")], {
    cwd: ROOT,
    env: { ...process.env, FJORD_PORT: String(port), FJORD_STATE: state },
    // The launcher ends with everything under it when this channel closes.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const stop = async () => {
    await endProcess(child, "SIGTERM");
    await rm(state, { recursive: true, force: true, maxRetries: 5 });
  };
  const printed: string[] = [];
  const welcome = new Promise<{ url: string; key: string }>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The platform was not up in time:\n${printed.join("\n")}`)),
      START_MS,
    );
    let url = "";
    const read = (line: string) => {
      printed.push(line);
      url = /^Base URL: (\S+)$/.exec(line)?.[1] ?? url;
      const key = /^API key: (\S+)$/.exec(line)?.[1];
      if (!key) return;
      clearTimeout(timer);
      resolve({ url, key });
    };
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on("line", read);
    child.once("exit", () => reject(new Error(`The platform did not start:\n${printed.join("\n")}`)));
  });
  try {
    const { url, key } = await welcome;
    return { url, key, state, stop, find: (part) => findDescendants(child.pid!, part) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Needs /proc; finds nothing without it. */
async function findDescendants(ancestor: number, part: string): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).map(Number).filter(Number.isInteger);
  const parents = new Map<number, number>();
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (parents.get(pid) === ancestor || isBelow(parents.get(pid)));
  const found: number[] = [];
  for (const pid of pids) {
    if (isBelow(pid) && (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).includes(part))
      found.push(pid);
  }
  return found;
}
