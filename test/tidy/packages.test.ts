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
const LOCKED = (JSON.parse(textOf("package-lock.json")) as { packages: Record<string, Locked> }).packages;

it("locks each package with its address, under the host that stands for anybody's registry", () => {
  const addressOf = (path: string, { name, version }: Locked) => {
    const full = name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    return `https://registry.npmjs.org/${full}/-/${full.split("/").at(-1)}-${version}.tgz`;
  };
  const packages = Object.entries(LOCKED).filter(([path, { link }]) => path.includes("node_modules/") && !link);
  expect(packages.length).toBeGreaterThan(500);
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
