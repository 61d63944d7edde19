// What the kernel's limits for one process leave open: the memory and the files of all processes of a cell together.

import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CellLimits } from "../settings.ts";

const everyMs = 200;
const processesMax = 4_096;
const filesMax = 100_000;
const MB = 1024 * 1024;

export type Watch = { /** Answers the most memory seen, in bytes. */ stop(): number };

/** Condemns the cell whose process tree under `root` holds too much memory, or whose directory has grown too large. */
export function watch(root: number | undefined, directory: string, limits: CellLimits, condemn: (why: string) => void): Watch {
  let peak = 0;
  let stopped = root === undefined;
  const look = async (): Promise<void> => {
    const [memory, disk] = await Promise.all([memoryOf(await treeOf(root!)), sizeOf(directory, limits.diskBytes)]);
    peak = Math.max(peak, memory);
    if (memory > limits.memoryBytes * 1.1) condemn(`The dataset's processes used more than ${Math.floor(limits.memoryBytes / MB)} MB of memory together and were stopped.`);
    if (disk > limits.diskBytes) condemn(`The dataset wrote more than ${Math.floor(limits.diskBytes / MB)} MB of files and was stopped.`);
    if (!stopped) timer = setTimeout(look, everyMs);
  };
  let timer = setTimeout(look, everyMs);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      return peak;
    },
  };
}

/** A process and all its descendants. Orphans stay in the tree: they go to the namespace's first process, or to the keeper. */
async function treeOf(root: number): Promise<number[]> {
  const tree = [root];
  for (let at = 0; at < tree.length && tree.length < processesMax; at++) {
    const threads = await readdir(`/proc/${tree[at]}/task`).catch(() => []);
    const children = await Promise.all(threads.map((thread) => readFile(`/proc/${tree[at]}/task/${thread}/children`, "utf8").catch(() => "")));
    tree.push(...children.join(" ").split(" ").filter(Boolean).map(Number));
  }
  return tree;
}

/** Anonymous and shared memory; pages that forks share count once for each, which only makes the bound stricter. */
async function memoryOf(pids: number[]): Promise<number> {
  const each = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
      const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
      return (kilobytes("Pss_Anon") + kilobytes("Pss_Shmem")) * 1024;
    }),
  );
  return each.reduce((sum, bytes) => sum + bytes, 0);
}

/** Bytes under a directory, links not followed; stops counting past `enough`. */
async function sizeOf(directory: string, enough: number): Promise<number> {
  let bytes = 0;
  let seen = 0;
  const folders = [directory];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (++seen > filesMax) return enough + 1;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else bytes += await lstat(path).then((file) => file.blocks * 512, () => 0);
      if (bytes > enough) return bytes;
    }
  }
  return bytes;
}
