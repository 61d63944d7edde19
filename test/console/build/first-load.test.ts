// The first load of the console, and of a dashboard within another page, is bounded and holds what it needs alone.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import "../../../scripts/assets/build.mjs";
import { APP, compressedBytes, firstLoad, readAsset } from "../../support/node/console/first-load.ts";

const FIRST_LOAD_BYTES_MAX = { "index.html": 250_000, "embed.html": 170_000 };
type Page = keyof typeof FIRST_LOAD_BYTES_MAX;
const PAGES = Object.keys(FIRST_LOAD_BYTES_MAX) as Page[];

it.each(PAGES)("is bounded, compressed: %s", (page) => {
  const files = firstLoad(page);
  const bytes = compressedBytes(files);
  console.log(`First load of ${page}: ${Math.round(bytes / 1_000)} KB in ${files.length} files`);
  expect(files.length).toBeGreaterThan(1);
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX[page]);
});

it.each(PAGES)("leaves editor, charts and Arrow to what needs them: %s", (page) => {
  const text = firstLoad(page)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readAsset(name).toString())
    .join("\n");
  for (const part of ["cm-content", "zrender", "ARROW:"]) expect([part, text.includes(part)]).toEqual([part, false]);
  expect(readdirSync(join(APP, "assets")).length).toBeGreaterThan(3);
});

it("makes no code from text, which the page's policy would refuse and report", () => {
  const files = readdirSync(join(APP, "assets")).filter((name) => name.endsWith(".js"));
  const made = files.filter((name) => /=Function[,;]|\bnew Function\(|\beval\(/.test(readAsset(name).toString()));
  expect(made).toEqual([]);
});
