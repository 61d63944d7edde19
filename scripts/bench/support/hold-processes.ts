// Processes are held to a share of a core, by the `cpu` controller of cgroups, where this machine lets us have groups.

import { existsSync } from "node:fs";
import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const PERIOD_US = 100_000;
/** Beside others on a busy machine a group gets what it may have. */
const SHARES = 100_000;
const WEIGHT = 10_000;
const EMPTY_MS = 5_000;

/** A group of processes that together have so much of a core at most; what they start belongs to it as well. */
export type HeldGroup = { add(pid: number): Promise<void>; release(): Promise<void> };

/** Where a version of cgroups has its groups, the list of a group's processes, and how a group is bounded. */
type Controller = { root: string; bound: (cores: number) => Record<string, string> };
const VERSIONS: readonly Controller[] = [
  {
    root: "/sys/fs/cgroup/cpu",
    bound: (cores) => ({
      "cpu.cfs_period_us": String(PERIOD_US),
      "cpu.cfs_quota_us": String(Math.round(cores * PERIOD_US)),
      "cpu.shares": String(SHARES),
    }),
  },
  {
    root: "/sys/fs/cgroup",
    bound: (cores) => ({ "cpu.max": `${Math.round(cores * PERIOD_US)} ${PERIOD_US}`, "cpu.weight": String(WEIGHT) }),
  },
];
const PROCESSES = "cgroup.procs";
let made = 0;

/** Undefined where no group can be made. */
export async function holdGroup(cores: number): Promise<HeldGroup | undefined> {
  for (const { root, bound } of VERSIONS) {
    if (!existsSync(join(root, PROCESSES))) continue;
    const folder = join(root, `fjord-bench-${process.pid}-${++made}`);
    try {
      await mkdir(folder);
      for (const [name, value] of Object.entries(bound(cores))) await writeFile(join(folder, name), value);
      return { add: (pid) => writeFile(join(folder, PROCESSES), String(pid)), release: () => release(folder, root) };
    } catch {
      await rmdir(folder).catch(() => undefined);
    }
  }
  return undefined;
}

/** What is left of its processes goes back to where all are; a group that is not empty can't be removed. */
async function release(folder: string, root: string): Promise<void> {
  for (const until = Date.now() + EMPTY_MS; Date.now() < until; ) {
    const left = (await readFile(join(folder, PROCESSES), "utf8")).split("\n").filter((pid) => pid !== "");
    for (const pid of left) await writeFile(join(root, PROCESSES), pid).catch(() => undefined);
    if (left.length === 0) return rmdir(folder).catch(() => undefined);
  }
}
