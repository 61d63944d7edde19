// The first load is what a browser fetches before the first screen, or before a dashboard within another page: the
// page, its styles, its script and what that imports at once.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import "../../../scripts/assets/build.mjs";

const ROOT = resolve(import.meta.dirname, "../../..");
const APP = join(ROOT, ".assets/app");
const FIRST_LOAD_BYTES_MAX = { "index.html": 250_000, "embed.html": 170_000 };
type Page = keyof typeof FIRST_LOAD_BYTES_MAX;
const PAGES = Object.keys(FIRST_LOAD_BYTES_MAX) as Page[];
const STATIC_IMPORT = /(?:from|import)\s*"\.\/([^"]+)"/g;

const asset = (name: string) => readFileSync(join(APP, "assets", name));

function firstLoad(name: Page): string[] {
  const page = readFileSync(join(APP, name), "utf8");
  const waiting = [...page.matchAll(/\/app\/assets\/([^"]+)"/g)].map(([, name]) => name!);
  const found = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    if (name.endsWith(".js"))
      waiting.push(...[...asset(name).toString().matchAll(STATIC_IMPORT)].map(([, imported]) => imported!));
  }
  return [...found];
}

it.each(PAGES)("is bounded, compressed: %s", (page) => {
  const files = firstLoad(page);
  const bytes = files.map((name) => gzipSync(asset(name)).byteLength).reduce((sum, size) => sum + size, 0);
  console.log(`First load of ${page}: ${Math.round(bytes / 1_000)} KB in ${files.length} files`);
  expect(files.length).toBeGreaterThan(1);
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX[page]);
});

it.each(PAGES)("leaves editor, charts and Arrow to what needs them: %s", (page) => {
  const text = firstLoad(page)
    .filter((name) => name.endsWith(".js"))
    .map((name) => asset(name).toString())
    .join("\n");
  for (const part of ["cm-content", "zrender", "ARROW:"]) expect([part, text.includes(part)]).toEqual([part, false]);
  expect(readdirSync(join(APP, "assets")).length).toBeGreaterThan(3);
});

it("makes no code from text, which the page's policy would refuse and report", () => {
  const files = readdirSync(join(APP, "assets")).filter((name) => name.endsWith(".js"));
  const made = files.filter((name) => /=Function[,;]|\bnew Function\(|\beval\(/.test(asset(name).toString()));
  expect(made).toEqual([]);
});
