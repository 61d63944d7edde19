// The packages of npm: where the lockfile says they lie, and which of them `npm start` has.

import { isBuiltin } from "node:module";
import { expect, it } from "vitest";
import {
  CODE_FILES,
  findingsIn,
  KERNEL_FILES,
  listFiles,
  textOf,
  WORKER_FILES,
  CONSOLE_FILES,
  CONTAINER_FILES,
} from "../support/node/tidy/source-tree.ts";

type Locked = { name?: string; version: string; resolved?: string; dev?: boolean; link?: boolean };
const lockedBy = (file: string) => (JSON.parse(textOf(file)) as { packages: Record<string, Locked> }).packages;
const LOCKED = lockedBy("package-lock.json");
/** The project's, and those of the tools that tests install. */
const LOCKFILES = ["package-lock.json", ...listFiles("test/support/node/tools", "package-lock.json")];

it("locks each package with its address, under the host that stands for anybody's registry", () => {
  const addressOf = (path: string, { name, version }: Locked) => {
    const full = name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    return `https://registry.npmjs.org/${full}/-/${full.split("/").at(-1)}-${version}.tgz`;
  };
  const packages = LOCKFILES.flatMap((file) => Object.entries(lockedBy(file))).filter(
    ([path, { link }]) => path.includes("node_modules/") && !link,
  );
  expect(LOCKFILES.length).toBeGreaterThan(4);
  expect(packages.length).toBeGreaterThan(1_000);
  const elsewhere = packages.filter(([path, entry]) => entry.resolved !== addressOf(path, entry));
  expect(elsewhere.map(([path]) => path)).toEqual([]);
});

/** Imports that are there when a program runs: not those of types. */
const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^;"'`]*?\sfrom\s+)?"([^"]+)"|import\("([^"]+)"\)/g;
const RUN_BY_START = [
  ...[...WORKER_FILES, ...CONSOLE_FILES, ...KERNEL_FILES, ...CONTAINER_FILES],
  ...listFiles("clients/cli/src", ".ts"),
  ...CODE_FILES.filter((file) => /^(clients\/cli\/|scripts\/((start|process|supervisor|assets)\/|\w+\.))/.test(file)),
];

it("imports nothing that npm start leaves out in what npm start runs", () => {
  const leftOut = (file: string) =>
    [...textOf(file).matchAll(IMPORT)]
      .map(([, from, called]) => (from ?? called)!)
      .filter((source) => /^[@a-z]/.test(source) && !isBuiltin(source) && !source.startsWith("cloudflare:"))
      .map((source) => source.split("/", source.startsWith("@") ? 2 : 1).join("/"))
      .filter((name) => LOCKED[`node_modules/${name}`]?.dev !== undefined || !LOCKED[`node_modules/${name}`]);
  expect(RUN_BY_START.length).toBeGreaterThan(1_000);
  expect(findingsIn([...new Set(RUN_BY_START)], leftOut)).toEqual([]);
});
