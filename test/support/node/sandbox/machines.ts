// The machines a sandbox may find itself on, as far as this one can stand in for them: who it is, what it is refused.

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultCacheDirectory } from "../../../../containers/sandbox/core/settings.ts";
import { unpackDebian } from "../tools/debian.ts";

export type Machine = {
  name: string;
  /** For the sandbox's `SANDBOX_JAIL`. */
  jail: "bwrap" | "landlock" | "bare";
  /** What its workers get. */
  mounts: boolean;
  /** Whether the drive can be mounted at its path. */
  drive: boolean;
  /** A command that becomes the sandbox. */
  through: string[];
};

const noNamespaces = ["/usr/bin/python3", fileURLToPath(new URL("no-namespaces.py", import.meta.url))];
/** A user without a name. */
const UID = "61999";
const AS_USER = ["setpriv", "--reuid", UID, "--regid", UID, "--clear-groups", "--"];
const asContainer = ["setpriv", "--bounding-set", "-sys_admin", "--", ...noNamespaces];

const succeeds = ([file = "", ...args]: string[]) => spawnSync(file, args, { stdio: "ignore" }).status === 0;

/** The kinds of machine that this one can be. `bwrap` is among them once {@link installBwrap} has made it so. */
export function machinesHere(): Machine[] {
  const isRoot = process.getuid?.() === 0;
  const canReadUs = succeeds([...AS_USER, "test", "-x", process.execPath, "-a", "-r", noNamespaces[1]!]);
  const own = { mounts: true, drive: true };
  const users: { name: string; through: string[]; unshare: string[] }[] = [
    ...(isRoot ? [{ name: "root", through: [], unshare: ["unshare", "--mount", "true"] }] : []),
    ...(!isRoot || canReadUs
      ? [
          {
            name: "an ordinary user",
            through: isRoot ? AS_USER : [],
            unshare: [...(isRoot ? AS_USER : []), "unshare", "--user", "--mount", "true"],
          },
        ]
      : []),
  ];
  return users.flatMap(({ name, through, unshare }): Machine[] => [
    ...(succeeds(unshare)
      ? [
          { name: `${name}, with bubblewrap`, jail: "bwrap" as const, through, ...own },
          { name: `${name}, without bubblewrap`, jail: "landlock" as const, through, ...own },
          ...(name === "root" ? [] : [{ name: `${name}, in no jail`, jail: "bare" as const, through, ...own }]),
        ]
      : []),
    {
      name: `${name}, without namespaces`,
      jail: "landlock",
      mounts: false,
      drive: name === "root",
      through: name === "root" ? asContainer : [...through, ...noNamespaces],
    },
  ]);
}

/** Answers a PATH with bubblewrap on it: the machine's, else Debian's package in a folder of ours. */
export async function installBwrap(): Promise<string> {
  const path = process.env.PATH ?? "";
  if (path.split(delimiter).some((folder) => existsSync(join(folder, "bwrap")))) return path;
  const cache = join(defaultCacheDirectory(), "bubblewrap");
  const root = join(cache, "root");
  if (!existsSync(join(root, "usr/bin/bwrap"))) await unpackDebian(cache, root, "bubblewrap");
  // Whoever is tested starts it.
  for (const folder of [cache, root]) chmodSync(folder, 0o755);
  execFileSync(join(root, "usr/bin/bwrap"), ["--version"]);
  return `${path}${delimiter}${join(root, "usr/bin")}`;
}
