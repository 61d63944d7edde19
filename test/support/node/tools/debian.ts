// Programs of Debian's packages in a folder of our own: nothing is installed, and nobody has to be root.

import { execFile } from "node:child_process";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const DOWNLOAD_MS = 240_000;

type Apt = (program: string, ...args: string[]) => Promise<{ stdout: string }>;

/** Unpacks a package, and those that `more` finds it needs, into `root`, below `cache`. It appears whole. */
export async function unpackDebian(
  cache: string,
  root: string,
  name: string,
  more: (apt: Apt) => Promise<string[]> = () => Promise.resolve([]),
): Promise<void> {
  const work = join(cache, `work-${process.pid}`);
  await mkdir(join(work, "lists/partial"), { recursive: true });
  await mkdir(join(work, "archives/partial"), { recursive: true });
  try {
    let options: string[] = [];
    const apt: Apt = (program, ...args) =>
      run(program, [...options, ...args], { cwd: work, timeout: DOWNLOAD_MS, maxBuffer: 16 * 1024 * 1024 });
    try {
      await apt("apt-get", "download", name);
    } catch {
      // The machine has no package lists, or none to be had as this user: take them into our folder.
      options = [
        "-o",
        `Dir::State::lists=${join(work, "lists")}`,
        "-o",
        `Dir::Cache=${work}`,
        "-o",
        "Debug::NoLocking=1",
      ];
      await apt("apt-get", "update");
      await apt("apt-get", "download", name);
    }
    const others = await more(apt);
    if (others.length > 0) await apt("apt-get", "download", ...others);

    const tree = join(work, "tree");
    for (const file of await readdir(work))
      if (file.endsWith(".deb")) await run("dpkg", ["-x", join(work, file), tree]);
    await rm(root, { recursive: true, force: true });
    await rename(tree, root);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
