// The drive's path is a link of the whole machine if workers have no mounts of their own; only one sandbox on the
// machine can have it.

import { rmdirSync, rmSync } from "node:fs";
import { mkdir, readlink, symlink, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { lockOnMachine } from "../core/machine-lock.ts";

/** Makes `path` lead to `directory` until this process ends. Answers why it can't be, and what to do, or null. */
export async function linkDrive(path: string, directory: string): Promise<string | null> {
  const folder = dirname(path);
  const remedy =
    `Allow user namespaces on the machine that runs the sandbox, or make ${folder} there a folder ` +
    `that its user may write to: sudo install -d -o "$USER" ${folder}`;
  if (!(await lockOnMachine("drive"))) {
    return `another sandbox has its drive there, where without mounts is one place for all. ${remedy.split(", or")[0]}`;
  }
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o755 });
    // The link is of a sandbox that was killed: one that lives would hold the lock.
    if (/\/fjord-sandbox-[^/]+\/drive$/.test(await readlink(path).catch(() => ""))) await unlink(path);
    await symlink(directory, path);
    process.prependListener("exit", () => remove(path, made === undefined ? undefined : folder));
    return null;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return `something else is at ${path} on this machine. Remove it`;
    return `${folder} can't be written to (${code}). ${remedy}`;
  }
}

function remove(link: string, folder: string | undefined): void {
  try {
    rmSync(link, { force: true });
    if (folder !== undefined) rmdirSync(folder);
  } catch {
    // Others have put something there meanwhile.
  }
}
