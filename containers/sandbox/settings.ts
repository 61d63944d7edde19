// What a sandbox may use of its machine, and where it keeps things. `SANDBOX_*` variables change the figures.

import { mkdtempSync } from "node:fs";
import { chmod, cp, mkdir } from "node:fs/promises";
import { availableParallelism, homedir, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { UIDS_PER_SANDBOX } from "./cells/uids.ts";

const MB = 1024 * 1024;

export type CellLimits = {
  /** Private memory of one process, and the resident memory of all processes of one dataset together. */
  memoryBytes: number;
  /** Processes and threads of one dataset. */
  processes: number;
  openFiles: number;
  /** One file, results included. */
  fileBytes: number;
  /** All that a dataset writes to its own directories. */
  diskBytes: number;
};

export type Settings = {
  /** This boot's own folder; nobody but root and ourselves lists it. */
  directory: string;
  /** Python packages, kept across boots. */
  cacheDirectory: string;
  /** How the team's drive is brought here; absent: mounted where that works. */
  drive: "mount" | "mirror" | undefined;
  /** Who mounts it: a user this machine knows, whom nothing else here runs as. */
  driveUser: string;
  /** Where cells that have no namespaces of their own find it. */
  driveDirectory: string;
  /** Of it on this disk: all there may be of a mirror; what a mount keeps of what was read. */
  driveBytesMax: number;
  /** A mirror's. */
  driveFilesMax: number;
  /** Datasets that run at once. */
  cellsMax: number;
  /** Processes that wait for an order with everything imported. */
  warmCells: number;
  limits: CellLimits;
  /** The one kind of jail to use; absent: the strongest there is. */
  jail: string | undefined;
};

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const whole = (name: string, otherwise: number) => {
    const value = Number(env[`SANDBOX_${name}`] ?? otherwise);
    if (!Number.isInteger(value) || value < 0) throw new Error(`SANDBOX_${name} is "${env[`SANDBOX_${name}`]}", which is no whole number.`);
    return value;
  };
  const machineMb = Math.floor(totalmem() / MB);
  const memoryMb = whole("MEMORY_MB", Math.min(2_048, Math.max(512, Math.floor(machineMb / 4))));
  const directory = mkdtempSync(join(env.SANDBOX_DIR ?? tmpdir(), "fjord-sandbox-"));
  return {
    directory,
    cacheDirectory: env.SANDBOX_CACHE_DIR ?? defaultCacheDirectory(),
    drive: z.enum(["mount", "mirror"]).optional().parse(env.SANDBOX_DRIVE),
    driveUser: env.SANDBOX_DRIVE_USER ?? "nobody",
    driveDirectory: env.SANDBOX_DRIVE_DIR ?? join(directory, "drive"),
    driveBytesMax: whole("DRIVE_MB", 4_096) * MB,
    driveFilesMax: whole("DRIVE_FILES", 20_000),
    cellsMax: Math.min(UIDS_PER_SANDBOX / 2, whole("CELLS", Math.max(2, Math.min(2 * availableParallelism(), Math.floor((machineMb * 0.8) / memoryMb))))),
    warmCells: Math.min(UIDS_PER_SANDBOX / 2, whole("WARM_CELLS", 2)),
    jail: env.SANDBOX_JAIL,
    limits: { memoryBytes: memoryMb * MB, processes: whole("PROCESSES", 64), openFiles: 512, fileBytes: whole("FILE_MB", 1_024) * MB, diskBytes: whole("DISK_MB", 1_024) * MB },
  };
}

/** Root's home is closed to the uids that runs have. */
export const defaultCacheDirectory = (): string => (process.getuid?.() === 0 ? "/var/cache/fjord" : join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "fjord"));

const runnerSource = fileURLToPath(new URL("./runner", import.meta.url));

/** Makes the folders, and puts the runner where the uids of runs can read it. */
export async function makeFolders({ directory, driveDirectory }: Settings): Promise<void> {
  await chmod(directory, 0o711);
  for (const [name, mode] of [["cells", 0o711], ["results", 0o700], ["runs", 0o700], ["packages", 0o755]] as const) await mkdir(join(directory, name), { mode });
  await mkdir(driveDirectory, { recursive: true, mode: 0o755 });
  await cp(runnerSource, join(directory, "runner"), { recursive: true, filter: (path) => !path.includes("__pycache__") });
  await chmod(join(directory, "runner"), 0o755);
}
