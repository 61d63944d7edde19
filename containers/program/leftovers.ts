// Removes what killed programs have left on the disk. A container starts with a fresh disk; a machine without
// containers does not.

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** The working folder of this process for one purpose, which {@link removeLeftovers} knows by its name. */
export const ownFolder = (
  directory: string,
  purpose: "engine" | "sync" | "maintenance" | "result" | "sandbox",
): string => join(directory, `fjord-${purpose}-${process.pid}`);

/**
 * Removes the folders of processes that are gone. A file that can't be removed, because it is another user's, stays.
 */
export async function removeLeftovers(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => [] as string[]);
  for (const name of names) {
    const pid = /^fjord-(?:engine|sync|maintenance|result|sandbox)-(\d+)(?:-\w+)?$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(directory, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
