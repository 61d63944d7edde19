// The packages that are installed before a program of the project starts, decided by npm's own lists.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../scripts/process/group.ts";

type Package = {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  os?: string[];
  cpu?: string[];
};
type Packages = Record<string, Package>;
type Machine = { platform: string; arch: string };
type Plan = { kind: "nothing" | "add" } | { kind: "clean"; withDevelopment: boolean };

// Plain JavaScript without types of its own, as it runs where nothing is installed.
const { planInstall } = (await import(join(root, "scripts/install.mjs"))) as {
  planInstall(locked: Packages, installed: Packages | undefined, needsDevelopment: boolean, machine?: Machine): Plan;
};

const LINUX = { platform: "linux", arch: "x64" };
const only = (os: string) => ({ version: "1.0.0", integrity: `sha512-${os}`, optional: true, os: [os], cpu: ["x64"] });
const LOCKED: Packages = {
  "": { version: "0.1.0" },
  "containers/engine": { version: "0.1.0" },
  "node_modules/@fjord/engine": { link: true },
  "node_modules/hono": { version: "4.0.0", integrity: "sha512-hono" },
  "node_modules/hono-linux": only("linux"),
  "node_modules/hono-darwin": only("darwin"),
  "node_modules/vitest": { version: "5.0.0", integrity: "sha512-vitest", dev: true },
  "node_modules/types": { version: "1.0.0", integrity: "sha512-types", devOptional: true },
};
const without = (packages: Packages, ...names: string[]): Packages =>
  Object.fromEntries(Object.entries(packages).filter(([path]) => !names.some((name) => path.endsWith(`/${name}`))));
/** What npm lists of this machine's packages, with those for development or without. */
const ALL = without(LOCKED, "hono-darwin");
const LEAN = without(ALL, "vitest", "types");
const plan = (installed: Packages | undefined, needsDevelopment: boolean, locked = LOCKED) =>
  planInstall(locked, installed, needsDevelopment, LINUX);

describe("what is installed", () => {
  it("is what the platform runs on for npm start, and everything for the others", () => {
    expect(plan(undefined, false)).toEqual({ kind: "clean", withDevelopment: false });
    expect(plan(undefined, true)).toEqual({ kind: "clean", withDevelopment: true });
    for (const installed of [ALL, LEAN]) expect(plan(installed, false)).toEqual({ kind: "nothing" });
    expect(plan(ALL, true)).toEqual({ kind: "nothing" });
  });

  it("is added to for tests after npm start, and nothing that is there is touched", () => {
    expect(plan(LEAN, true)).toEqual({ kind: "add" });
    expect(plan(without(ALL, "types"), true)).toEqual({ kind: "add" });
  });

  it.each([
    ["another version", { "node_modules/hono": { version: "3.0.0", integrity: "sha512-hono" } }],
    ["another content", { "node_modules/hono": { version: "4.0.0", integrity: "sha512-other" } }],
    ["another version of what is optional", { "node_modules/hono-linux": { ...only("linux"), version: "0.9.0" } }],
  ])("is installed anew for %s, and packages for development stay", (_, other) => {
    expect(plan({ ...LEAN, ...other }, false)).toEqual({ kind: "clean", withDevelopment: false });
    expect(plan({ ...ALL, ...other }, false)).toEqual({ kind: "clean", withDevelopment: true });
    expect(plan({ ...LEAN, ...other }, true)).toEqual({ kind: "clean", withDevelopment: true });
  });

  it("is installed anew when a package is missing, or is a link no more", () => {
    for (const name of ["hono", "@fjord/engine"])
      expect(plan(without(LEAN, name), true)).toEqual({ kind: "clean", withDevelopment: true });
    const linked = { ...LEAN, "node_modules/hono": { version: "4.0.0", integrity: "sha512-hono", link: true } };
    expect(plan(linked, false)).toEqual({ kind: "clean", withDevelopment: false });
  });

  it("leaves a package for development of an older version alone until tests need it", () => {
    const older = { ...ALL, "node_modules/vitest": { version: "4.0.0", integrity: "sha512-old", dev: true } };
    expect(plan(older, true)).toEqual({ kind: "clean", withDevelopment: true });
    // What npm start would leave out is there: it is kept, and so kept up to date.
    expect(plan(older, false)).toEqual({ kind: "clean", withDevelopment: true });
  });

  it("is installed anew in a folder that came from another machine", () => {
    const moved = { ...without(LEAN, "hono-linux"), "node_modules/hono-darwin": only("darwin") };
    expect(plan(moved, false)).toEqual({ kind: "clean", withDevelopment: false });
    const excluded = { ...LEAN, "node_modules/other": { version: "1.0.0", os: ["!linux"] } };
    expect(plan(excluded, false)).toEqual({ kind: "clean", withDevelopment: false });
    const everywhereElse = { ...LEAN, "node_modules/other": { version: "1.0.0", os: ["!win32"] } };
    expect(plan(everywhereElse, false)).toEqual({ kind: "nothing" });
  });

  it("is nothing in this folder, by npm's real lists", async () => {
    const packagesIn = async (file: string) =>
      (JSON.parse(await readFile(join(root, file), "utf8")) as { packages: Packages }).packages;
    const [locked, installed] = [
      await packagesIn("package-lock.json"),
      await packagesIn("node_modules/.package-lock.json"),
    ];
    for (const needsDevelopment of [true, false])
      expect(planInstall(locked, installed, needsDevelopment)).toEqual({ kind: "nothing" });
    const lean = Object.entries(installed).filter(([, { dev, devOptional }]) => !dev && !devOptional);
    expect(lean.length).toBeLessThan(Object.keys(installed).length - 50);
    expect(planInstall(locked, Object.fromEntries(lean), false)).toEqual({ kind: "nothing" });
    expect(planInstall(locked, Object.fromEntries(lean), true)).toEqual({ kind: "add" });
  });
});
