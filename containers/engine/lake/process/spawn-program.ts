// Starts the program of a query process, within the bounds that the kernel keeps.

import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { LakeSettings } from "../../core/settings.ts";
import type { ProcessLimits } from "./program.ts";

const PROGRAM = fileURLToPath(new URL("./program.ts", import.meta.url));
/** DuckDB's own bound, under the kernel's, which also holds what DuckDB does not count. */
const DUCKDB_SHARE = 0.6;
/**
 * The memory that Node and two idle DuckDB instances have mapped (most of it never touched), which the kernel's bound
 * counts as well.
 */
const IDLE_DATA_MB = 700;
/**
 * A process whose statement left more than this share mapped is replaced: its next statement would find less than its
 * due.
 */
const RESIDUE_SHARE = 0.25;
const NODE_HEAP_MB = 256;

/** `frames`: what it writes its frames to. */
export function spawnProgram(
  { queryMemoryMb, threads, spillMb, cacheDirectory }: LakeSettings,
  frames: Socket,
): ChildProcess {
  const limits: ProcessLimits = {
    threads,
    memoryMb: Math.floor(queryMemoryMb * DUCKDB_SHARE),
    spillMb,
    residueMb: Math.floor(queryMemoryMb * RESIDUE_SHARE),
  };
  // No core dumps (they would hold data), and a data bound that DuckDB's memory_limit alone does not keep.
  const script = `ulimit -c 0; ulimit -d ${(IDLE_DATA_MB + queryMemoryMb) * 1024}; exec "$0" "$@"`;
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  return spawn("/bin/sh", ["-c", script, process.execPath, `--max-old-space-size=${NODE_HEAP_MB}`, PROGRAM], {
    cwd: cacheDirectory,
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      QUERY_LIMITS: JSON.stringify(limits),
      // With one for each thread, memory that is free in one is missing in the others.
      MALLOC_ARENA_MAX: "1",
      // DuckDB is called from Node's pool, one call after the other: of four threads in turn each has caches to fill.
      // Other calls of the pool (to open a database ahead, a file of deletes) can wait: no call waits for another.
      UV_THREADPOOL_SIZE: "1",
    },
    stdio: ["ignore", "ignore", "inherit", frames, "ipc"],
  });
}
