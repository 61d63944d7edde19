// What the engine's processes load before they answer: a caller waits for all of it. What `import()` loads, by its
// first use, does not count.

import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, textOf } from "../support/node/tidy/source-tree.ts";

/** Imports that are there when the program runs: neither types nor calls. */
const IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\b)(?:[^;"'`]*?\sfrom\s+)?"([^"]+)"/g;

/** Everything that a file loads before its first line runs: files by their paths, packages by their names. */
function loadedBy(file: string): string[] {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    if (!/^(kernel|containers)\//.test(path)) return;
    for (const [, source] of textOf(path).matchAll(IMPORT))
      load(source!.startsWith(".") ? relative(ROOT, join(ROOT, dirname(path), source!)) : source!);
  };
  load(file);
  return [...loaded];
}

const LARGE = ["@duckdb/node-api", "apache-arrow", "zod"];

describe.each([
  { file: "containers/engine/main.ts", role: "an engine before it listens", allowed: [] },
  { file: "containers/engine/open-engine.ts", role: "an engine before it answers", allowed: ["zod"] },
  { file: "containers/engine/lake/process/program.ts", role: "a query process", allowed: ["@duckdb/node-api"] },
])("$role", ({ file, allowed }) => {
  const loaded = loadedBy(file);

  it("loads no library that its first answer does not need", () => {
    expect(LARGE.filter((library) => loaded.includes(library))).toEqual(allowed);
  });

  it("loads neither connectors nor jobs nor the semantic layer's runs", () => {
    const parts = /^containers\/engine\/(sources\/\w+\/|jobs\/(sync|maintenance|sample)\/|semantic\/run\/)/;
    expect(loaded.filter((path) => parts.test(path))).toEqual([]);
  });
});
