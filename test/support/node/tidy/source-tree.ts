// The project's source as text: files, their rooms and what they import. For the tidy ring.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../../../..");

/** Folders that hold what is fetched, built or run, and never source. */
const SKIPPED = new Set(["node_modules", ".git", ".wrangler", ".fjord", ".docs-assets", "dist", "coverage"]);

/** Paths relative to the root, with forward slashes. */
export function listFiles(folder = "", ending = ""): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (SKIPPED.has(name)) return [];
    if (statSync(join(ROOT, path)).isDirectory()) return listFiles(path, ending);
    return path.endsWith(ending) ? [path] : [];
  });
}

const texts = new Map<string, string>();

export function textOf(path: string): string {
  const known = texts.get(path) ?? readFileSync(join(ROOT, path), "utf8");
  texts.set(path, known);
  return known;
}

export const linesOf = (path: string): number => textOf(path).replace(/\n$/, "").split("\n").length;

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?[^;"'`]*?from\s+"([^"]+)"|import\("([^"]+)"\)|(?:^|\n)import\s+"([^"]+)"/g;

/**
 * What a file imports: relative paths resolved against the root, packages by name. Types are marked: they leave no
 * trace at run time.
 */
export function importsOf(path: string): { target: string; isType: boolean }[] {
  return [...textOf(path).matchAll(IMPORT)].map(([, type, one, two, three]) => {
    const source = (one ?? two ?? three)!;
    return {
      target: source.startsWith(".") ? relative(ROOT, join(ROOT, dirname(path), source)) : source,
      isType: type !== undefined,
    };
  });
}

/** The first ring of imports among `files`, or undefined. Types count too: a ring of meaning is one all the same. */
export function findCycle(files: string[]): string[] | undefined {
  const known = new Set(files);
  const done = new Set<string>();
  const walk = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const { target } of importsOf(file)) {
      const cycle = known.has(target) ? walk(target, [...path, file]) : undefined;
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of files) {
    const cycle = walk(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
