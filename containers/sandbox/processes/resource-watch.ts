// The kernel's limits are for one process. The watch bounds the memory and the files of all processes of a worker
// together.

import { lstat, readdir, readFile, readlink, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { WorkerLimits } from "../core/settings.ts";

const EVERY_MS = 200;
const PROCESSES_MAX = 4_096;
const MB = 1024 * 1024;
/** The memory that the kernel keeps of a file, beside its content. */
const FILE_BYTES = 1_024;
/**
 * The bytes that the kernel takes from one socket before they are read elsewhere: its default, which a worker can't
 * raise.
 */
const SOCKET_BYTES = 212_992;
/**
 * Sockets that a worker may have open for free, more than honest clients and pools need. Each socket past them counts
 * as if it were full.
 */
const SOCKETS_FREE = 256;

export type Watch = { /** Answers the most memory seen, in bytes. */ stop(): number };
/**
 * Where a worker writes. `isMounted`: in memory, in a file system that keeps the bounds by itself; else on the disk.
 */
export type Scratch = { directory: string; isMounted: boolean };

/**
 * Condemns the worker whose process tree under `root` holds too much memory, files in memory included, or too much of
 * the disk.
 */
export function watch(
  root: number,
  { directory, isMounted }: Scratch,
  limits: WorkerLimits,
  stopWorker: (why: string) => void,
): Watch {
  let peak = 0;
  let stopped = false;
  const look = async (): Promise<void> => {
    const pids = await treeOf(root);
    const files = isMounted ? await mountedIn(root, directory) : { bytes: 0, device: null };
    let memory = (await memoryOf(pids)) + (await socketBytesOf(pids)) + files.bytes;
    // A file that is mapped is counted on both sides, which takes long to find out.
    if (memory > limits.memoryBytes && files.device !== null) memory -= await mappedOf(pids, files.device);
    peak = Math.max(peak, memory);
    if (memory > limits.memoryBytes * 1.1) {
      const those = isMounted ? `, ${Math.ceil(files.bytes / MB)} MB of it in files,` : "";
      stopWorker(
        `The dataset's processes used more than ${inMb(limits.memoryBytes)} of memory together${those} ` +
          "and were stopped.",
      );
    }
    const found = isMounted ? null : await onDisk(pids, directory, limits);
    if (found !== null && (found.bytes > limits.diskBytes || found.files > limits.files)) {
      stopWorker(
        `The dataset wrote more than ${inMb(limits.diskBytes)} of files, or more than ${limits.files} of them, ` +
          "and was stopped.",
      );
    }
    if (!stopped) timer = setTimeout(look, EVERY_MS);
  };
  let timer = setTimeout(look, EVERY_MS);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      return peak;
    },
  };
}

const inMb = (bytes: number): string => `${Math.floor(bytes / MB)} MB`;

/**
 * A process and all its descendants. Orphans stay in the tree: they go to the namespace's first process, or to the
 * subreaper.
 */
async function treeOf(root: number): Promise<number[]> {
  const tree = [root];
  for (let at = 0; at < tree.length && tree.length < PROCESSES_MAX; at++) {
    const threads = await readdir(`/proc/${tree[at]}/task`).catch(() => []);
    const children = await Promise.all(
      threads.map((thread) => readFile(`/proc/${tree[at]}/task/${thread}/children`, "utf8").catch(() => "")),
    );
    tree.push(...children.join(" ").split(" ").filter(Boolean).map(Number));
  }
  return tree;
}

/** Anonymous and shared memory, and page tables: pages of zeros that are only read cost nothing else. */
async function memoryOf(pids: number[]): Promise<number> {
  const each = await Promise.all(
    pids.map(async (pid) => {
      const tables = ["smaps_rollup", "status"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => ""));
      const text = (await Promise.all(tables)).join("\n");
      const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
      return (kilobytes("Pss_Anon") + kilobytes("Pss_Shmem") + kilobytes("VmPTE")) * 1024;
    }),
  );
  return each.reduce((sum, bytes) => sum + bytes, 0);
}

/** The bytes that their sockets may hold. Each is counted once, whichever process has it open. */
async function socketBytesOf(pids: number[]): Promise<number> {
  const handles = await Promise.all(
    pids.map(async (pid) => {
      const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
      return names.map((name) => `/proc/${pid}/fd/${name}`);
    }),
  );
  const paths = handles.flat();
  if (paths.length <= SOCKETS_FREE) return 0;
  const targets = await Promise.all(paths.map((path) => readlink(path).catch(() => "")));
  const sockets = new Set(targets.filter((target) => target.startsWith("socket:")));
  return Math.max(0, sockets.size - SOCKETS_FREE) * SOCKET_BYTES;
}

/** The bytes of the file system that the process `root` sees at `directory`, deleted files that are open included. */
async function mountedIn(root: number, directory: string): Promise<{ bytes: number; device: string | null }> {
  const path = `/proc/${root}/root${directory}`;
  try {
    const [{ bsize, blocks, bfree, files, ffree }, { dev }] = await Promise.all([statfs(path), stat(path)]);
    return { bytes: (blocks - bfree) * bsize + (files - ffree) * FILE_BYTES, device: deviceName(dev) };
  } catch {
    // The process has ended, and its mounts with it.
    return { bytes: 0, device: null };
  }
}

/** A device number as the kernel's tables of mappings write it. */
const deviceName = (device: number): string => {
  const [major, minor] = [(device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00)];
  return [major, minor].map((one) => one.toString(16).padStart(2, "0")).join(":");
};

/** Bytes of files on `device` that processes have mapped. */
async function mappedOf(pids: number[], device: string): Promise<number> {
  const tables = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/smaps`, "utf8").catch(() => "")));
  let bytes = 0;
  for (const table of tables) {
    let isOfDevice = false;
    for (const line of table.split("\n")) {
      const mapping = /^[0-9a-f]+-[0-9a-f]+ \S+ [0-9a-f]+ (\S+) /.exec(line);
      if (mapping) isOfDevice = mapping[1] === device;
      else if (isOfDevice && line.startsWith("Pss:")) bytes += Number(/\d+/.exec(line)?.[0] ?? 0) * 1024;
    }
  }
  return bytes;
}

/**
 * The bytes of the files under a directory, links not followed, and of files that were deleted there and are open.
 * Stops past the bounds.
 */
async function onDisk(
  pids: number[],
  directory: string,
  { diskBytes, files: filesMax }: WorkerLimits,
): Promise<{ bytes: number; files: number }> {
  const found = { bytes: 0, files: 0 };
  const folders = [directory];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (++found.files > filesMax || found.bytes > diskBytes) return found;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      found.bytes += await lstat(path).then(
        (file) => file.blocks * 512,
        () => 0,
      );
    }
  }
  const deleted = await Promise.all(pids.map((pid) => deletedOf(pid, directory)));
  const sizes = new Map(deleted.flat());
  return {
    bytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, found.bytes),
    files: found.files + sizes.size,
  };
}

/** Files of a directory that are deleted and that the process has open: inode → bytes. */
async function deletedOf(pid: number, directory: string): Promise<[inode: number, bytes: number][]> {
  const handles = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const each = await Promise.all(
    handles.map(async (handle): Promise<[number, number][]> => {
      const path = `/proc/${pid}/fd/${handle}`;
      const target = await readlink(path).catch(() => "");
      if (!target.startsWith(`${directory}/`) || !target.endsWith(" (deleted)")) return [];
      return stat(path).then(
        ({ ino, blocks }): [number, number][] => [[ino, blocks * 512]],
        () => [],
      );
    }),
  );
  return each.flat();
}
