// Databases of tests are in memory where the machine has room for them: a D1 on a disk waits for it at every question,
// be it one that only reads.

import { statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import type { PoolRunnerInitializer } from "vitest/node";

const IN_MEMORY = "/dev/shm";
/** The folder and the machine have so much left: many times what a ring's databases take. */
const BYTES_MIN = 4 * 1024 ** 3;

/** A folder for data that nobody needs after this run: in memory, else where temporary files are. */
export function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, freemem()) < BYTES_MIN ? tmpdir() : IN_MEMORY;
  } catch {
    // Only Linux has it.
    return tmpdir();
  }
}

/**
 * Runtimes of this pool keep their data there. They take the folder of temporary files that is set when they start.
 * What else this process starts keeps its own, since a sandbox's workers have a memory of their own in that place.
 */
export function inQuickFolder(pool: PoolRunnerInitializer): PoolRunnerInitializer {
  const own = process.env.TMPDIR;
  return {
    ...pool,
    createPoolWorker(options) {
      const worker = pool.createPoolWorker(options);
      const start = worker.start.bind(worker);
      worker.start = async () => {
        process.env.TMPDIR = quickFolder();
        try {
          await start();
        } finally {
          if (own === undefined) delete process.env.TMPDIR;
          else process.env.TMPDIR = own;
        }
      };
      return worker;
    },
  };
}
