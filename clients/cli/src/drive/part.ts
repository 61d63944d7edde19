// A part beside its target has what has come of a download. One process writes to a part: its id is in the name.
// Another process takes the part over, by renaming it, once that process has ended.

import { createHash } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export type Part = Readonly<{ file: string; bytes: number }>;

/** This process's own part of a version of the file: one that was left behind, or none yet. A longer one is deleted. */
export async function takePart(target: string, etag: string, bytesMax: number): Promise<Part> {
  const folder = dirname(target);
  const file = join(folder, partName(target, etag, process.pid));
  for (const name of await readdir(folder)) {
    const [, pid] = /\.(\d+)\.part$/.exec(name) ?? [];
    if (pid === undefined || name !== partName(target, etag, Number(pid)) || isOfAnother(Number(pid))) continue;
    // Whoever renames it has it: for any other process it is not there any more.
    const isTaken = await rename(join(folder, name), file).then(
      () => true,
      () => false,
    );
    if (!isTaken) continue;
    const bytes = await sizeOf(file);
    if (bytes <= bytesMax) return { file, bytes };
    await rm(file, { force: true });
  }
  return { file, bytes: 0 };
}

export const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

/** A part of another version of the file has another name. */
function partName(target: string, etag: string, pid: number): string {
  const version = createHash("sha256").update(etag).digest("hex").slice(0, 8);
  return `.${basename(target)}.${version}.${pid}.part`;
}

/** Whether another process of this id runs. */
function isOfAnother(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
