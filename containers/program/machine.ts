// The machine that a program has: its own container's, or the whole.

import { readFileSync } from "node:fs";
import { totalmem } from "node:os";

/** Memory in bytes, of the container where that has a bound, else of the machine. */
export function machineBytes(): number {
  try {
    const bound = Number(readFileSync("/sys/fs/cgroup/memory.max", "utf8"));
    return bound > 0 ? Math.min(totalmem(), bound) : totalmem();
  } catch {
    // There is no bound where the file is missing.
    return totalmem();
  }
}
