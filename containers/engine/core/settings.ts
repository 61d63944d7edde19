// The environment, or the machine itself, says how much of the machine an engine's lake side may use.

import { availableParallelism, tmpdir } from "node:os";
import { ownFolder } from "../../program/leftovers.ts";
import { machineBytes } from "../../program/machine.ts";
import { parseSettings } from "../../../kernel/wire/settings.ts";
import { freeBytes } from "./disk.ts";
import { divideMemory } from "./statement-class.ts";
import { ENGINE_SETTINGS, type StatementClass } from "../../../kernel/wire/engine-program.ts";

export type LakeSettings = {
  /** Statements of each class that run at once. */
  processes: number;
  /** Statements of each class that may wait for their turn. */
  waitingMax: Record<StatementClass, number>;
  /** Hard bound on the data of one query process for long statements, enforced by the kernel. */
  queryMemoryMb: number;
  /** Hard bound on the data of one query process for short statements, enforced by the kernel. */
  shortMemoryMb: number;
  /** Temporary disk of one statement, in MB. */
  spillMb: number;
  /** Files that one statement writes, in MB. */
  writeMb: number;
  /** Threads of one statement. */
  threads: number;
  cacheDirectory: string;
  cacheBytesMax: number;
  /** Memory for results of statements that may be asked again; none are kept where it is 0. */
  resultCacheBytesMax: number;
  /** Files of the drive that one statement may read. */
  driveFilesMax: number;
  /** Bytes of the drive's files that one statement may read, and that the local disk holds at most. */
  driveBytesMax: number;
};

const PROCESSES_MAX = 4;
/**
 * An engine's whole capacity of statements may wait as short ones; fewer long ones may, so that they don't keep the
 * rest out.
 */
const WAITING_MAX = { short: 64, long: 32 };
/** Memory that is kept for the engine itself. */
const ENGINE_MEMORY_MB = 768;
const QUERY_MEMORY_MB_MIN = 512;
const QUERY_MEMORY_MB_MAX = 4096;
const CACHE_MB_MAX = 4096;
const RESULT_CACHE_MB = 32;
/**
 * Each of the two caches gets this share of the disk's free space at boot. The rest is for what statements spill and
 * write, and for syncs.
 */
const CACHE_DISK_SHARE = 0.4;

/** Reads the variables of `ENGINE_SETTINGS`. Throws an Error for people where one is not what it has to be. */
export function readLakeSettings(environment: NodeJS.ProcessEnv = process.env): LakeSettings {
  const cores = availableParallelism();
  const set = parseSettings(ENGINE_SETTINGS, environment);
  const processes = set.ENGINE_QUERY_PROCESSES ?? Math.min(PROCESSES_MAX, Math.max(2, cores));
  // Engines of one team that share a machine, as `npm start` runs them, divide its memory and its disk.
  const shares = set.ENGINE_MACHINE_SHARES ?? 1;
  const share = divideMemory(Math.floor(machineBytes() / 1024 / 1024) / shares - ENGINE_MEMORY_MB, processes);
  const queryMemoryMb =
    set.ENGINE_QUERY_MEMORY_MB ?? Math.min(QUERY_MEMORY_MB_MAX, Math.max(QUERY_MEMORY_MB_MIN, share.long));
  const cacheDirectory = set.ENGINE_CACHE_DIR ?? ownFolder(tmpdir(), "engine");
  const cacheMb = Math.min(
    CACHE_MB_MAX,
    Math.max(1, Math.floor((freeBytes(cacheDirectory) * CACHE_DISK_SHARE) / shares / 1024 / 1024)),
  );
  return {
    processes,
    waitingMax: WAITING_MAX,
    queryMemoryMb,
    shortMemoryMb: Math.min(queryMemoryMb, share.short),
    spillMb: set.ENGINE_QUERY_SPILL_MB ?? 1024,
    writeMb: set.ENGINE_WRITE_MB ?? 2048,
    threads: cores,
    cacheDirectory,
    cacheBytesMax: (set.ENGINE_CACHE_MB ?? cacheMb) * 1024 * 1024,
    resultCacheBytesMax: (set.ENGINE_RESULT_CACHE_MB ?? RESULT_CACHE_MB) * 1024 * 1024,
    driveFilesMax: set.ENGINE_DRIVE_FILES ?? 1_000,
    driveBytesMax: (set.ENGINE_DRIVE_MB ?? cacheMb) * 1024 * 1024,
  };
}
