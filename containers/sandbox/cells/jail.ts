// How a process is held: the command that starts the runner inside its walls, for each kind of jail.

import { existsSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Drive, DrivePlace } from "../drive/drive.ts";
import type { Interpreter } from "../python/interpreter.ts";
import type { Settings } from "../settings.ts";

/** Strongest first. `bwrap`: namespaces of its own. `landlock`: kernel rules on paths and ports. `bare`: limits only. */
export const JAIL_KINDS = ["bwrap", "landlock", "bare"] as const;
export type JailKind = (typeof JAIL_KINDS)[number];

export type Jail = {
  kind: JailKind;
  settings: Settings;
  python: Interpreter;
  /** Found by every dataset; none where the index could not be reached. */
  basePackages: string[];
  proxy: { socket: string; port: number };
  drive: Drive;
  /** Of the block that is this sandbox's; null where we may not change uids. */
  firstUid: number | null;
};

export type CellPlan = {
  id: string;
  /** Its own while it lives; null where we may not change uids. */
  uid: number | null;
  /** Shown to it read-only. */
  inputsDirectory: string;
  /** Its own to write to; unused where it gets a file system of its own. */
  workDirectory: string;
  drive: DrivePlace;
  /** Come before the base packages. */
  packages: string[];
  /** Names it to the proxy. */
  token: string;
};

/** Inside an empty network, the port that leads to the proxy. */
const bridgePort = 3128;
const home = "/home/user";
const threads = "2";

export type CellCommand = { file: string; args: string[]; env: Record<string, string>; cwd: string; /** As the cell sees it. */ inputsPath: string; stop: NodeJS.Signals };

export function commandFor(jail: Jail, plan: CellPlan): CellCommand {
  const { kind, settings, python } = jail;
  const isBwrap = kind === "bwrap";
  const packages = [...plan.packages, ...jail.basePackages];
  const runner = join(settings.directory, "runner");
  const readable = [python.prefix, runner, ...packages, settings.driveDirectory, plan.inputsDirectory];
  const cell = {
    uid: plan.uid,
    keeper: !isBwrap,
    bridge: isBwrap ? { port: bridgePort, path: "/run/proxy.sock" } : null,
    limits: settings.limits,
    packages,
    // Without namespaces of its own the cell finds the mirror where it lies; a mount's folder is put there, for it alone.
    drive: isBwrap || plan.drive.directory === settings.driveDirectory ? null : { from: plan.drive.directory, to: settings.driveDirectory },
    landlock: kind === "landlock" ? { readable: [...SYSTEM_PATHS, ...DEVICES, ...readable], writable: [plan.workDirectory, "/dev/null"], ports: [jail.proxy.port] } : null,
  };
  const start = [python.command, "-I", "-B", join(runner, "runner.py"), JSON.stringify(cell)];
  const proxy = `http://run:${plan.token}@127.0.0.1:${isBwrap ? bridgePort : jail.proxy.port}`;
  const env = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: isBwrap ? home : plan.workDirectory,
    TMPDIR: isBwrap ? "/tmp" : plan.workDirectory,
    HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy, NO_PROXY: "", no_proxy: "",
    OMP_NUM_THREADS: threads, OPENBLAS_NUM_THREADS: threads, ARROW_IO_THREADS: threads,
    // One arena: what is free in one is missing in another, under the same limit.
    MALLOC_ARENA_MAX: "2",
  };
  if (!isBwrap) return { file: start[0]!, args: start.slice(1), env, cwd: plan.workDirectory, inputsPath: plan.inputsDirectory, stop: "SIGTERM" };
  return { file: "bwrap", args: [...bwrapArguments(jail, plan, readable), "--", ...start], env, cwd: "/", inputsPath: "/run/inputs", stop: "SIGKILL" };
}

/** Programs, libraries and the few settings that they read. */
const SYSTEM_PATHS = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/ssl", "/etc/localtime", "/etc/alternatives", "/etc/mime.types"];
const DEVICES = ["/dev/urandom", "/dev/random", "/dev/zero", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/sys/devices/system/cpu"];

function bwrapArguments({ settings, proxy }: Jail, plan: CellPlan, readable: string[]): string[] {
  const { limits, driveDirectory } = settings;
  const scratch = (path: string) => ["--perms", "1777", "--size", String(limits.diskBytes), "--tmpfs", path];
  const shown = (from: string, to = from) => [...foldersAbove(to).flatMap((folder) => ["--perms", "0755", "--dir", folder]), "--ro-bind", from, to];
  return [
    "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
    // As root the namespaces need no user namespace, and the runner then becomes a uid of its own; otherwise it is what allows them.
    ...(plan.uid === null ? ["--unshare-user", "--disable-userns"] : ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]),
    "--die-with-parent", "--new-session", "--hostname", "sandbox",
    ...SYSTEM_PATHS.flatMap((path) => (existsSync(path) ? (isLink(path) ? ["--symlink", readlinkSync(path), path] : shown(path)) : [])),
    "--proc", "/proc", "--dev", "/dev", ...scratch("/dev/shm"), ...scratch("/tmp"), ...scratch(home),
    ...readable.filter((path) => path !== driveDirectory && path !== plan.inputsDirectory && !path.startsWith("/usr/") && path !== "/usr").flatMap((path) => shown(path)),
    ...shown(plan.drive.directory, `${home}/drive`), ...shown(plan.inputsDirectory, "/run/inputs"), "--bind", proxy.socket, "/run/proxy.sock",
    "--chdir", home,
  ];
}

/** bwrap makes missing folders for its own uid only. */
const foldersAbove = (path: string): string[] => path.split("/").slice(1, -1).map((_, at, names) => `/${names.slice(0, at + 1).join("/")}`);

const isLink = (path: string): boolean => {
  try {
    return readlinkSync(path) !== "" && path.split("/").length === 2;
  } catch {
    return false;
  }
};

