// What an installation may set about the programs: every documented name reaches its program, and nonsense is refused
// there.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readLakeSettings } from "../../../containers/engine/core/settings.ts";
import { ENGINE_SETTINGS } from "../../../kernel/wire/engine-program.ts";
import { parseSettings } from "../../../kernel/wire/settings.ts";
import { SANDBOX_SETTINGS } from "../../../kernel/wire/sandbox.ts";
import { readSettings } from "../../../scripts/start/settings.ts";
import { PROGRAMS } from "../../../scripts/supervisor/programs.ts";
import { startProgram } from "../../support/node/programs/program.ts";

const textOf = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");
const namesIn = (text: string) =>
  [...new Set(text.match(/\b(?:ENGINE|SANDBOX)_[A-Z_]*[A-Z]\b/g))].filter((name) => !/_(SECRET|SETTINGS)$/.test(name));
const programs = [
  ["engine", ENGINE_SETTINGS],
  ["sandbox", SANDBOX_SETTINGS],
] as const;

/** Where a program reads its settings. */
const READERS = {
  engine: ["containers/engine/core/settings.ts", "containers/engine/sources/emulator.ts"],
  sandbox: ["containers/sandbox/core/settings.ts", "containers/sandbox/python/interpreter.ts"],
};

it.each(["docs/drive.md", "docs/python-and-webhooks.md", "docs/operating/sandbox.md", "wrangler.toml"])(
  "every setting of a program that %s names reaches that program",
  (path) => {
    const names = namesIn(textOf(path));
    expect(names).not.toEqual([]);
    const known = programs.flatMap(([, kinds]) => Object.keys(kinds));
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  },
);

describe.each(programs)("the %s", (program, kinds) => {
  it("is handed each of its settings by the supervisor, and has a use for it", () => {
    expect(PROGRAMS[program]!.environment).toEqual(expect.arrayContaining(Object.keys(kinds)));
    const uses = namesIn(READERS[program].map(textOf).join("\n"));
    expect(Object.keys(kinds).filter((name) => !uses.includes(name))).toEqual([]);
  });

  it("does not start with a setting that is none, and says which and why", async () => {
    const [number] = Object.entries(kinds).find(([, kind]) => kind === "positive")!;
    const start = startProgram(
      program,
      { ...process.env, [`${program.toUpperCase()}_SECRET`]: "x", [number]: "many" },
      20_000,
    );
    await expect(start).rejects.toThrow(`${number} is "many"; it has to be a whole number from 1 on.`);
  });

  it("does not start with a port that is none", async () => {
    const environment = { ...process.env, [`${program.toUpperCase()}_SECRET`]: "x", PORT: "http" };
    await expect(startProgram(program, environment, 20_000)).rejects.toThrow('PORT is "http"');
  });
});

describe("the launcher", () => {
  it("hands settings on, and refuses those that a program would", () => {
    expect(readSettings({ FJORD_VAR_SANDBOX_CELLS: "3", FJORD_VAR_ENGINE_WRITE_MB: "" }).variables).toEqual({
      SANDBOX_CELLS: "3",
      ENGINE_WRITE_MB: "",
    });
    expect(() => readSettings({ FJORD_VAR_SANDBOX_CELLS: "3.5" })).toThrow('SANDBOX_CELLS is "3.5"');
    expect(() => readSettings({ FJORD_VAR_ENGINES_PER_TEAM: "9" })).toThrow('ENGINES_PER_TEAM is "9"');
    expect(() => readSettings({ FJORD_VAR_SANDBOX_CELS: "3" })).toThrow(
      /There is no setting SANDBOX_CELS\. There are ENGINE_MACHINE_SHARES, .*SANDBOX_CELLS/,
    );
  });
});

describe("a setting", () => {
  const kinds = {
    SANDBOX_WARM_CELLS: "whole",
    SANDBOX_CELLS: "positive",
    SANDBOX_JAIL: ["bwrap", "landlock"],
    SANDBOX_DIR: "text",
  } as const;
  it.each([
    {},
    { SANDBOX_WARM_CELLS: "0", SANDBOX_CELLS: "16" },
    { SANDBOX_JAIL: "landlock", SANDBOX_DIR: "/x" },
    { SANDBOX_CELLS: "", SANDBOX_JAIL: "" },
  ])("is taken: %j", (set) => expect(() => parseSettings(kinds, set)).not.toThrow());
  it.each([
    { SANDBOX_CELLS: "0" },
    { SANDBOX_CELLS: "-1" },
    { SANDBOX_CELLS: "1e3" },
    { SANDBOX_WARM_CELLS: "two" },
    { SANDBOX_WARM_CELLS: " " },
    { SANDBOX_JAIL: "chroot" },
  ])("is refused: %j", (set) => expect(() => parseSettings(kinds, set)).toThrow(Object.keys(set)[0]));
  it("that is empty is not set", () =>
    expect([{ A: "" }, {}, { A: "0" }].map((set) => parseSettings({ A: "whole" }, set).A)).toEqual([
      undefined,
      undefined,
      0,
    ]));
});

it("engines that share a machine divide its memory and its disk", () => {
  const [alone, crowded] = ["", "1000"].map((shares) => readLakeSettings({ ENGINE_MACHINE_SHARES: shares }));
  expect(crowded!.cacheBytesMax).toBeLessThan(alone!.cacheBytesMax);
  expect(crowded!.queryMemoryMb).toBeLessThan(alone!.queryMemoryMb);
});
