// The command that makes a worker's root by bubblewrap: namespaces of its own, and in them what it is shown.

import { existsSync, readlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { DRIVE_PATH, HOME_PATH, SYSTEM_PATHS } from "./paths.ts";

export const INPUTS_PATH = "/run/inputs";
export const PROXY_SOCKET_PATH = "/run/proxy.sock";

/** The files a worker is shown, and the ones that it may write. */
type Contents = { uid: number | null; scratchDirectory: string; inputsDirectory: string; drive: { directory: string } };

/** `readable` paths are shown under their own names. Throws where it is not installed. */
export function bubblewrap(contents: Contents, readable: string[], proxySocket: string): string[] {
  const { uid, scratchDirectory, inputsDirectory, drive } = contents;
  const own = (name: string, to: string) => shown(join(scratchDirectory, name), to, "--bind");
  const others = readable.filter((path) => path !== "/usr" && !path.startsWith("/usr/"));
  return [
    findBubblewrap(),
    ...["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    // With root, the other namespaces need no user namespace, and the runner becomes a uid of its own. Without it, a
    // user namespace is what allows them.
    ...(uid === null
      ? ["--unshare-user", "--disable-userns"]
      : ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]),
    ...["--die-with-parent", "--new-session", "--hostname", "sandbox"],
    ...SYSTEM_PATHS.filter((path) => existsSync(path)).flatMap((path) => asOutside(path)),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...own("shm", "/dev/shm"),
    ...own("tmp", "/tmp"),
    ...own("home", HOME_PATH),
    ...others.flatMap((path) => shown(path)),
    ...shown(drive.directory, DRIVE_PATH),
    ...shown(inputsDirectory, INPUTS_PATH),
    ...["--bind", proxySocket, PROXY_SOCKET_PATH],
    // Both are file systems without a bound, and belong to who starts this.
    ...["--remount-ro", "/dev", "--remount-ro", "/"],
    ...["--chdir", "/"],
  ];
}

function findBubblewrap(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.map((folder) => join(folder, "bwrap")).find((path) => existsSync(path));
  if (found === undefined) throw new Error("bubblewrap is not installed.");
  return found;
}

/** bwrap makes missing folders for its own uid only. */
const shown = (from: string, to = from, how = "--ro-bind"): string[] => [
  ...foldersAbove(to).flatMap((folder) => ["--perms", "0755", "--dir", folder]),
  ...[how, from, to],
];

function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(1, -1);
  return names.map((_, at) => `/${names.slice(0, at + 1).join("/")}`);
}

/** A folder of the root that is a link stays one. */
function asOutside(path: string): string[] {
  const target = path.split("/").length === 2 ? linkAt(path) : null;
  return target === null ? shown(path) : ["--symlink", target, path];
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
