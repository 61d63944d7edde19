// A process is held by what the runner is told to restrict, and the command that starts it, for each kind of jail.

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

/** A program that Node starts. */
type Command = { file: string; args: string[]; env: Record<string, string> };

export type WorkerCommand = Command & {
  /** The inputs' folder at the path that the worker sees. */
  inputsPath: string;
  stop: NodeJS.Signals;
};

/** Where a worker works in its scratch directory. */
export const homeIn = (scratchDirectory: string): string => join(scratchDirectory, "home");

/** The inputs' folder at the path that the worker sees. */
export const inputsPathIn = ({ kind }: Jail, { inputsDirectory }: WorkerPlan): string =>
  kind === "bwrap" ? INPUTS_PATH : inputsDirectory;

export function commandFor(jail: Jail, plan: WorkerPlan): WorkerCommand {
  const { kind, settings, python } = jail;
  const isBwrap = kind === "bwrap";
  const start = (program: string, ...args: string[]) => ["-I", "-B", join(runnerOf(settings), program), ...args];
  const command = {
    file: python.command,
    args: start("runner.py", JSON.stringify(restrictionsFor(jail, plan))),
    env: environmentFor(jail, plan),
    inputsPath: inputsPathIn(jail, plan),
  };
  if (!isBwrap) return { ...command, stop: "SIGTERM" };
  const bubblewrapped = [
    ...bubblewrap(plan, readableFor(jail, plan), jail.proxy.socket),
    ...["--", command.file, ...command.args],
  ];
  const args = ["-S", ...start("mounts.py", JSON.stringify(mountsFor(jail, plan, null)), ...bubblewrapped)];
  return { ...command, args, stop: "SIGKILL" };
}

/** A worker that is forked is told what others have as their arguments and environment. */
export const forkedPlanFor = (jail: Jail, plan: WorkerPlan) => ({
  ...restrictionsFor(jail, plan),
  id: plan.id,
  environment: environmentFor(jail, plan),
});

/** `socket`: the path where it is to listen. It holds no secret, and may reach the proxy's port alone. */
export function forkServerFor({ settings, python, basePackages, proxy }: Jail, socket: string): Command {
  const plan = { starter: process.pid, socket, ports: [proxy.port], packages: basePackages };
  const program = join(runnerOf(settings), "fork_server.py");
  const env = {
    ...COMMON_ENVIRONMENT,
    HOME: "/nonexistent",
    // Where a worker is forked, there is one thread.
    OPENBLAS_NUM_THREADS: "1",
    OMP_NUM_THREADS: "1",
    JE_ARROW_MALLOC_CONF: "background_thread:false",
  };
  return { file: python.command, args: ["-I", "-B", program, JSON.stringify(plan)], env };
}

const runnerOf = ({ directory }: Settings): string => join(directory, "runner");

const packagesFor = (jail: Jail, plan: WorkerPlan): string[] => [...plan.packages, ...jail.basePackages];

const readableFor = (jail: Jail, plan: WorkerPlan): string[] => [
  jail.python.prefix,
  runnerOf(jail.settings),
  ...packagesFor(jail, plan),
];

/** What the runner is to do before it takes an order. */
function restrictionsFor(jail: Jail, plan: WorkerPlan) {
  const { kind, settings, mounts } = jail;
  const isBwrap = kind === "bwrap";
  const readable = readableFor(jail, plan);
  return {
    uid: plan.uid,
    group: jail.firstUid,
    subreaper: !isBwrap,
    proxyBridge: isBwrap ? { port: BRIDGE_PORT, path: PROXY_SOCKET_PATH } : null,
    limits: settings.limits,
    packages: packagesFor(jail, plan),
    mounts: mounts && !isBwrap ? mountsFor(jail, plan, homeFor(plan, readable)) : null,
    landlock: kind === "landlock" ? landlockFor(jail, plan, readable) : null,
  };
}

type Folders = { home: string; temporary: string };

function foldersFor({ kind, mounts }: Jail, { scratchDirectory }: WorkerPlan): Folders {
  if (kind === "bwrap") return { home: HOME_PATH, temporary: "/tmp" };
  if (mounts) return { home: HOME_PATH, temporary: join(scratchDirectory, "tmp") };
  return { home: homeIn(scratchDirectory), temporary: homeIn(scratchDirectory) };
}

const COMMON_ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LANG: "C.UTF-8",
  // One arena: what is free in one is missing in another, under the same limit.
  MALLOC_ARENA_MAX: "2",
};

function environmentFor(jail: Jail, plan: WorkerPlan): Record<string, string> {
  const { home, temporary } = foldersFor(jail, plan);
  const proxy = `http://run:${plan.token}@127.0.0.1:${jail.kind === "bwrap" ? BRIDGE_PORT : jail.proxy.port}`;
  return {
    ...COMMON_ENVIRONMENT,
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
