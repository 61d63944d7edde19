// The first load is what a browser fetches before the first screen, or before a dashboard within another page: the
// page, its styles, its script and what that imports at once.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

export const APP = join(resolve(import.meta.dirname, "../../../.."), ".assets/app");
const STATIC_IMPORT = /(?:from|import)\s*"\.\/([^"]+)"/g;

export const readAsset = (name: string): Buffer => readFileSync(join(APP, "assets", name));

/** The names of the files that a page of the last build loads first. */
export function firstLoad(page: string): string[] {
  const text = readFileSync(join(APP, page), "utf8");
  const waiting = [...text.matchAll(/\/app\/assets\/([^"]+)"/g)].map(([, name]) => name!);
  const found = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    if (name.endsWith(".js"))
      waiting.push(...[...readAsset(name).toString().matchAll(STATIC_IMPORT)].map(([, imported]) => imported!));
  }
  return [...found];
}

/** Their bytes, compressed. */
export const compressedBytes = (files: readonly string[]): number =>
  files.reduce((sum, name) => sum + gzipSync(readAsset(name)).byteLength, 0);
