// A disk of a few megabytes, for what happens when one is full.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export type SmallDisk = {
  directory: string;
  /** Does some work whose temporary files lie on the disk. */
  use<T>(work: () => Promise<T>): Promise<T>;
};

/** Undefined where this user can't have one. It is gone once the suite has ended. */
export function openSmallDisk(megabytes: number): SmallDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), "fjord-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory], { stdio: "ignore" });
  } catch {
    rmSync(directory, { recursive: true, force: true });
    return undefined;
  }
  afterAll(() => {
    execFileSync("umount", ["-l", directory]);
    rmSync(directory, { recursive: true, force: true });
  });
  return { directory, use: (work) => withTemporaryFilesIn(directory, work) };
}

async function withTemporaryFilesIn<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const usual = process.env.TMPDIR;
  process.env.TMPDIR = directory;
  try {
    return await work();
  } finally {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
  }
}
