// This file lays out what the Worker serves at /docs: our page and the parts of swagger-ui it needs. A file that is
// there already is left alone, so that a watcher sees no change.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const SWAGGER_FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "LICENSE", "NOTICE"];

/** Lays the page's files out in the folder `docs` of `assets`. */
export function layOutDocsPage(root, assets) {
  const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const page = join(root, "src/features/api-reference/page");
  const target = join(assets, "docs");
  const sources = new Map([
    ...readdirSync(page).map((name) => [name, join(page, name)]),
    ...SWAGGER_FILES.map((name) => [name, join(swagger, name)]),
  ]);
  mkdirSync(target, { recursive: true });
  for (const [name, source] of sources) {
    if (!isSame(source, join(target, name))) cpSync(source, join(target, name));
  }
  for (const name of readdirSync(target)) if (!sources.has(name)) rmSync(join(target, name), { recursive: true });
}

function isSame(source, copy) {
  try {
    return readFileSync(source).equals(readFileSync(copy));
  } catch {
    return false;
  }
}
