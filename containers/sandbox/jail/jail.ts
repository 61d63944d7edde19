// A process is held by the command that starts the runner inside its restrictions, for each kind of jail.

import { join } from "node:path";
import type { Drive, DriveFolder } from "../drive/drive.ts";
import type { Interpreter } from "../python/interpreter.ts";
import type { JailKind } from "../../../kernel/wire/sandbox.ts";
import type { Settings } from "../core/settings.ts";
import { bubblewrap, INPUTS_PATH, PROXY_SOCKET_PATH } from "./bubblewrap.ts";
import { DEVICES, DRIVE_PATH, HOME_PATH, SYSTEM_PATHS } from "./paths.ts";

export type Jail = {
  kind: JailKind;
  settings: Settings;
  python: Interpreter;
  /** Found by every dataset; none where the index could not be reached. */
  basePackages: string[];
  proxy: { socket: string; port: number };
  drive: Drive;
  /** First uid of the block that is this sandbox's; null where we may not change uids. */
  firstUid: number | null;
  /** Each worker has mounts of its own: what it writes is one bounded file system, and the drive is at its path. */
  mounts: boolean;
  /**
   * Why the drive is not at its path in the workers, and what to do about that; null where it is. For docs' authors.
   */
  driveProblem: string | null;
};

export type WorkerPlan = {
  id: string;
  /** The worker's own uid while it lives; null where we may not change uids. */
  uid: number | null;
  /** Folder that is shown to the worker read-only. */
  inputsDirectory: string;
  /** Folder with all that the worker may write; hidden where it has mounts of its own. */
  scratchDirectory: string;
  drive: DriveFolder;
  /** Folders of packages that come before the base packages. */
  packages: string[];
  /** Token that identifies the worker to the proxy. */
  token: string;
};

/** Inside an empty network, the port that leads to the proxy. */
const BRIDGE_PORT = 3128;
const THREADS = "2";

export type WorkerCommand = {
  file: string;
  args: string[];
  env: Record<string, string>;
  /** The inputs' folder at the path that the worker sees. */
  inputsPath: string;
  stop: NodeJS.Signals;
};

/** Where a worker works in its scratch directory. */
export const homeIn = (scratchDirectory: string): string => join(scratchDirectory, "home");

export function commandFor(jail: Jail, plan: WorkerPlan): WorkerCommand {
  const { kind, settings, python, mounts } = jail;
  const isBwrap = kind === "bwrap";
  const runner = join(settings.directory, "runner");
  const packages = [...plan.packages, ...jail.basePackages];
  const readable = [python.prefix, runner, ...packages];
  const worker = {
    uid: plan.uid,
    group: jail.firstUid,
    subreaper: !isBwrap,
    proxyBridge: isBwrap ? { port: BRIDGE_PORT, path: PROXY_SOCKET_PATH } : null,
    limits: settings.limits,
    packages,
    mounts: mounts && !isBwrap ? mountsFor(jail, plan, homeFor(plan, readable)) : null,
    landlock: kind === "landlock" ? landlockFor(jail, plan, readable) : null,
  };
  const start = (program: string, ...args: string[]) => ["-I", "-B", join(runner, program), ...args];
  const command = {
    file: python.command,
    args: start("runner.py", JSON.stringify(worker)),
    env: environmentFor(plan.token, isBwrap ? BRIDGE_PORT : jail.proxy.port, foldersFor(jail, plan)),
  };
  if (!isBwrap) return { ...command, inputsPath: plan.inputsDirectory, stop: "SIGTERM" };
  const bubblewrapped = [...bubblewrap(plan, readable, jail.proxy.socket), "--", command.file, ...command.args];
  const args = ["-S", ...start("mounts.py", JSON.stringify(mountsFor(jail, plan, null)), ...bubblewrapped)];
  return { ...command, args, inputsPath: INPUTS_PATH, stop: "SIGKILL" };
}

type Folders = { home: string; temporary: string };

function foldersFor({ kind, mounts }: Jail, { scratchDirectory }: WorkerPlan): Folders {
  if (kind === "bwrap") return { home: HOME_PATH, temporary: "/tmp" };
  if (mounts) return { home: HOME_PATH, temporary: join(scratchDirectory, "tmp") };
  return { home: homeIn(scratchDirectory), temporary: homeIn(scratchDirectory) };
}

function environmentFor(token: string, proxyPort: number, { home, temporary }: Folders): Record<string, string> {
  const proxy = `http://run:${token}@127.0.0.1:${proxyPort}`;
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: home,
    TMPDIR: temporary,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: "",
    no_proxy: "",
    OMP_NUM_THREADS: THREADS,
    OPENBLAS_NUM_THREADS: THREADS,
    ARROW_IO_THREADS: THREADS,
    // One arena: what is free in one is missing in another, under the same limit.
    MALLOC_ARENA_MAX: "2",
  };
}

type Home = { drive: string; keep: string[] };

/** The folder mounted over the machine's homes, and the parts of those homes that the worker needs. */
const homeFor = ({ drive, inputsDirectory, scratchDirectory }: WorkerPlan, readable: string[]): Home => ({
  drive: drive.directory,
  keep: [...readable, inputsDirectory, scratchDirectory],
});

/** The mounts that `runner/mounts.py` is to make. */
const mountsFor = ({ settings: { limits } }: Jail, { scratchDirectory, uid }: WorkerPlan, home: Home | null) => ({
  scratch: scratchDirectory,
  bytes: Math.min(limits.diskBytes, limits.memoryBytes),
  files: limits.files,
  uid,
  home,
});

function landlockFor(jail: Jail, plan: WorkerPlan, shared: string[]) {
  const { home, temporary } = foldersFor(jail, plan);
  const drive = jail.mounts ? DRIVE_PATH : jail.settings.driveDirectory;
  return {
    readable: [...SYSTEM_PATHS, ...DEVICES, ...shared, plan.inputsDirectory, drive],
    writable: [home, temporary, "/dev/null", ...(jail.mounts ? ["/dev/shm"] : [])],
    ports: [jail.proxy.port],
  };
}
