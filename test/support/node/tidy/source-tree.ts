// The project's source as text: its files, its lines, and what they import. For the tidy ring.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../../../..");

/** Folders that hold what is fetched, built or run, and never source. */
const SKIPPED = new Set(["node_modules", ".git", ".wrangler", ".fjord", ".assets", "dist", "coverage"]);

/** Paths relative to the root, with forward slashes. */
export function listFiles(folder = "", ending = ""): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (SKIPPED.has(name)) return [];
    if (statSync(join(ROOT, path)).isDirectory()) return listFiles(path, ending);
    return path.endsWith(ending) ? [path] : [];
  });
}

const isCode = (file: string) => /\.(ts|tsx|mjs|js)$/.test(file) && !file.endsWith(".d.ts");

/** The files of the kernel, of the console, of the Worker, of the clients, of the containers, and all of code. */
export const KERNEL_FILES = listFiles("kernel", ".ts").filter(isCode);
export const CONSOLE_FILES = listFiles("src/console").filter(isCode);
export const WORKER_FILES = listFiles("src", ".ts").filter((file) => isCode(file) && !file.startsWith("src/console/"));
export const CLIENT_FILES = listFiles("clients").filter(isCode);
export const CONTAINER_FILES = listFiles("containers", ".ts").filter(isCode);
export const CODE_FILES = [
  ...KERNEL_FILES,
  ...WORKER_FILES,
  ...CONSOLE_FILES,
  ...CONTAINER_FILES,
  ...CLIENT_FILES,
  ...[...listFiles("scripts"), ...listFiles("test")].filter(isCode),
];

const texts = new Map<string, string>();

export function textOf(path: string): string {
  const known = texts.get(path) ?? readFileSync(join(ROOT, path), "utf8");
  texts.set(path, known);
  return known;
}

/** Its text without its comments. */
export const codeOf = (path: string): string => textOf(path).replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, "");

export const linesOf = (path: string): string[] => textOf(path).replace(/\n$/, "").split("\n");

/** What the files do that a rule forbids, as `file: finding` each. */
export const findingsIn = <Finding>(files: string[], find: (file: string) => Finding[]): string[] =>
  files.flatMap((file) => find(file).map((finding) => `${file}: ${String(finding)}`));

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?[^;"'`]*?from\s+"([^"]+)"|import\("([^"]+)"\)|(?:^|\n)import\s+"([^"]+)"/g;

const imports = new Map<string, string[]>();

/** What a file imports, types too: relative paths resolved against the root, packages by name. */
export function importsOf(path: string): string[] {
  const known = imports.get(path);
  if (known) return known;
  const found = [...textOf(path).matchAll(IMPORT)].map(([, from, called, bare]) => {
    const source = (from ?? called ?? bare)!;
    return source.startsWith(".") ? relative(ROOT, join(ROOT, dirname(path), source)) : source;
  });
  imports.set(path, found);
  return found;
}

/** The first cycle of imports among `files`, or undefined. Types count too: a cycle of meaning is one all the same. */
export function findCycle(files: string[]): string[] | undefined {
  const known = new Set(files);
  const done = new Set<string>();
  const walk = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const target of importsOf(file)) {
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
