// The engine's disk, which statements, syncs and exports share: how much of it is free, and who gives space back when
// it is full.

import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { diskFull, isDiskFull } from "./failure.ts";

/** Frees the disk space of what nobody uses; answers whether there was any. */
type FreeSpace = () => boolean;

const caches = new Set<FreeSpace>();

/** Registers `give`, which is called whenever the disk is full. Answers a function that removes it again. */
export function onDiskFull(give: FreeSpace): () => void {
  caches.add(give);
  return () => void caches.delete(give);
}

/** Asks every cache to free space. Answers whether any did: then another try may succeed. */
export const freeDiskSpace = (): boolean => [...caches].map((give) => give()).some((given) => given);

/**
 * Does `work`; where the disk is full, once more after all caches have freed what nobody uses. This second try is made
 * even where the caches had nothing to free: a concurrent statement may have made them free it just before. Rejects
 * with {@link diskFull} when the disk is still full.
 */
export async function retryOnFullDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    freeDiskSpace();
  }
  return work().catch((error: unknown) => {
    throw isDiskFull(error) ? diskFull(error) : error;
  });
}

/** Bytes that are free on the disk where `directory` lies, or will; Infinity where the system does not say. */
export function freeBytes(directory: string): number {
  try {
    let existing = directory;
    while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
    const { bavail, bsize } = statfsSync(existing);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
