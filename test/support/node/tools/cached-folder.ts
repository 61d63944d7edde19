// Tests fetch some tools once for this machine and keep them in the user's cache.

import { access, mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "fjord");

/**
 * The folder `name` of the cache. Where there is none `fill` makes it in another, `work`, so that it appears whole or
 * not at all; `folder` is where it will be.
 */
export async function cachedFolder(
  name: string,
  fill: (work: string, folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, name);
  if (await exists(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const work = `${folder}.${process.pid}`;
  try {
    await fill(work, folder);
    // Another run may have been faster; its folder is as good.
    await rename(work, folder).catch(() => access(folder));
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const exists = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );
