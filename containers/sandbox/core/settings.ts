// The settings say how much of its machine a sandbox may use, and where it keeps things. `SANDBOX_*` variables change
// the figures.

import { mkdtempSync, realpathSync } from "node:fs";
import { chmod, chown, cp, mkdir } from "node:fs/promises";
import { availableParallelism, homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownFolder } from "../../program/leftovers.ts";
import { machineBytes } from "../../program/machine.ts";
import { parseSettings } from "../../../kernel/wire/settings.ts";
import { UIDS_PER_SANDBOX } from "./uids.ts";
import { SANDBOX_SETTINGS } from "../../../kernel/wire/sandbox.ts";

const MB = 1024 * 1024;

export type WorkerLimits = {
  /** Private memory of one process, and the resident memory of all processes of one dataset together. */
  memoryBytes: number;
  /** Processes and threads of one dataset. */
  processes: number;
  openFiles: number;
  /** One file, results included. */
  fileBytes: number;
  /** All that a dataset writes to its own directories. */
  diskBytes: number;
  /** Files and folders in them. */
  files: number;
};

/** The workers of one fork server share its hash seed and the layout of its memory: so many, and for so long. */
export type ForkServerTerm = { workers: number; ms: number };

export type Settings = {
  /** This boot's own folder; nobody but root and ourselves lists it. */
  directory: string;
  /** Python packages, kept across boots. */
  cacheDirectory: string;
  /** How the team's drive is brought here; absent: mounted where that works. */
  drive: "mount" | "mirror" | undefined;
  /** The user that mounts the drive: one that this machine knows and that nothing else here runs as. */
  driveUser: string;
  /** The folder of a mirror. */
  driveDirectory: string;
  /** Bytes of the drive on this disk: all of a mirror, or what a mount keeps of what was read. */
  driveBytesMax: number;
  /** Files of a mirror. */
  driveFilesMax: number;
  /** Datasets that run at once. */
  workersMax: number;
  /** Processes that wait for an order with everything imported. */
  warmWorkers: number;
  limits: WorkerLimits;
  forkServerTerm: ForkServerTerm;
  /** The one kind of jail to use; absent: the strongest there is. */
  jail: string | undefined;
};

/** Makes this boot's folder. Throws an Error for people where a variable is not what it has to be. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const set = parseSettings(SANDBOX_SETTINGS, env);
  const machineMb = Math.floor(machineBytes() / MB);
  const memoryMb = set.SANDBOX_MEMORY_MB ?? Math.min(2_048, Math.max(512, Math.floor(machineMb / 4)));
  const workers = Math.min(2 * availableParallelism(), Math.floor((machineMb * 0.8) / memoryMb));
  const directory = realpathSync(mkdtempSync(`${ownFolder(set.SANDBOX_DIR ?? tmpdir(), "sandbox")}-`));
  return {
    directory,
    cacheDirectory: set.SANDBOX_CACHE_DIR ?? defaultCacheDirectory(),
    drive: set.SANDBOX_DRIVE,
    driveUser: set.SANDBOX_DRIVE_USER ?? "nobody",
    driveDirectory: join(directory, "drive"),
    driveBytesMax: (set.SANDBOX_DRIVE_MB ?? 4_096) * MB,
    driveFilesMax: set.SANDBOX_DRIVE_FILES ?? 20_000,
    workersMax: Math.min(UIDS_PER_SANDBOX / 2, set.SANDBOX_CELLS ?? Math.max(2, workers)),
    warmWorkers: Math.min(UIDS_PER_SANDBOX / 2, set.SANDBOX_WARM_CELLS ?? 2),
    jail: set.SANDBOX_JAIL,
    forkServerTerm: { workers: 200, ms: 15 * 60_000 },
    limits: {
      memoryBytes: memoryMb * MB,
      processes: set.SANDBOX_PROCESSES ?? 64,
      openFiles: 512,
      fileBytes: (set.SANDBOX_FILE_MB ?? 1_024) * MB,
      diskBytes: (set.SANDBOX_DISK_MB ?? 1_024) * MB,
      files: set.SANDBOX_FILES ?? 50_000,
    },
  };
}

/** Root's home is closed to the uids that runs have. */
export const defaultCacheDirectory = (): string =>
  process.getuid?.() === 0
    ? "/var/cache/fjord"
    : join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "fjord");

const runnerSource = fileURLToPath(new URL("../runner", import.meta.url));

/** Makes the folders, and puts the runner where the uids of runs can read it. */
export async function makeFolders({ directory, driveDirectory }: Settings, firstUid: number | null): Promise<void> {
  await chmod(directory, 0o711);
  const folders = { workers: 0o711, results: 0o700, forks: 0o700, runs: 0o700, packages: 0o755, drive: 0o750 };
  for (const [name, mode] of Object.entries(folders)) await mkdir(join(directory, name), { mode });
  // Where a link of the whole machine leads there, nobody else on it is to follow.
  if (firstUid !== null) await chown(driveDirectory, 0, firstUid);
  await cp(runnerSource, join(directory, "runner"), {
    recursive: true,
    filter: (path) => !path.includes("__pycache__"),
  });
  await chmod(join(directory, "runner"), 0o755);
}
