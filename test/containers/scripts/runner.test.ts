// `npm start`, `npm test` and `npm run bench` before they start anything, and what a long step prints.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root, spawnGroup, within } from "../../../scripts/process/group.ts";
import { printProgress } from "../../../scripts/test/progress.ts";
import { stepsIn } from "../../../scripts/test/steps.ts";

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-runner-"));
  for (const name of ["scripts", "package-lock.json"])
    await cp(join(root, name), join(folder, "bare", name), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the command line", () => {
  /** Runs the script of a tree in which nothing is installed. */
  const ask = (...args: string[]) => askIn("bare", {}, ...args);
  const askIn = async (
    tree: string,
    env: NodeJS.ProcessEnv,
    ...args: string[]
  ): Promise<{ code: number; stdout: string; stderr: string }> => {
    const asked = run(process.execPath, [join(folder, tree, "scripts", "run.mjs"), ...args], { env });
    return asked.then(
      (printed) => ({ code: 0, ...printed }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  };

  it.each(["start", "test", "bench"])("helps with %s, and installs and starts nothing", async (program) => {
    for (const option of ["--help", "-h"]) {
      const { code, stdout, stderr } = await ask(program, option);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^Usage: npm /);
      expect(stdout).not.toContain("Installing");
    }
    expect((await readdir(join(folder, "bare"))).sort()).toEqual(["package-lock.json", "scripts"]);
  });

  it.each([
    [["start", "--port", "3"], "There is no option --port."],
    [["start", "now"], '"now" is not known here.'],
    [["test", "units"], '"units" is not known here.'],
    [["test", "--watch"], "There is no option --watch."],
    [["bench", "lake", "--rows"], "--rows needs a value."],
    [["bench", "--rows=1", "lakes"], '"lakes" is not known here.'],
  ])("refuses %j with the help, before it installs", async (args, flaw) => {
    const { code, stdout, stderr } = await ask(...args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`${flaw}\n\nUsage: npm `);
  });

  it("installs what the program needs, adds what is missing later, and says why when npm fails", async () => {
    await cp(join(folder, "bare"), join(folder, "tree"), { recursive: true });
    const npm = join(folder, "npm.mjs");
    await writeFile(npm, 'console.error(`no network for ${process.argv.slice(2).join(" ")}`); process.exit(3);');
    const words = async (program: string) => {
      const { code, stderr } = await askIn("tree", { npm_execpath: npm }, program);
      expect([code, stderr]).toEqual([1, expect.stringContaining("failed (3); its messages are above.")]);
      return /^no network for (.*)$/m.exec(stderr)![1];
    };
    expect(await words("start")).toBe("ci --omit=dev --no-audit --no-fund");
    for (const program of ["test", "bench", "scale"])
      expect(await words(program)).toBe("ci --include=dev --no-audit --no-fund");

    // After `npm start` npm lists the packages that are not for development; a list that is not whole counts as none.
    const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, { dev?: boolean; optional?: boolean }>;
    };
    const lean = Object.entries(lock.packages).filter(([path, { dev, optional }]) => path && !dev && !optional);
    const text = JSON.stringify({ packages: Object.fromEntries(lean) });
    const list = join(folder, "tree", "node_modules", ".package-lock.json");
    await mkdir(dirname(list));
    await writeFile(list, text);
    expect(await words("test")).toBe("install --no-save --include=dev --no-audit --no-fund");
    await writeFile(list, text.slice(0, text.length / 2));
    expect(await words("start")).toBe("ci --omit=dev --no-audit --no-fund");
  });

  it("names in its help every step, every benchmark and every variable of the launcher", async () => {
    const [test, bench, start] = await Promise.all(
      ["test", "bench", "start"].map(async (program) => (await ask(program, "--help")).stdout),
    );
    for (const { name } of stepsIn(folder)) expect(test).toMatch(new RegExp(`\\b${name}\\b`));
    const [, benches] =
      /const BENCHES[^{]*\{([^}]*)\}/.exec(
        (await readFile(join(root, "scripts/bench/main.ts"), "utf8")).replaceAll(/\{ rows[^}]*\}/g, ""),
      ) ?? [];
    expect(benches).toContain("lake:");
    const names = [...benches!.matchAll(/(\w+):/g)].map(([, name]) => name!);
    for (const name of names) expect(bench).toMatch(new RegExp(`\\b${name}\\b`));
    // What comes last is refused; each name before it is known.
    expect((await ask("bench", ...names, "none")).stderr).toContain('"none" is not known here.');
    const settings = await readFile(join(root, "scripts/start/settings.ts"), "utf8");
    for (const [name] of settings.matchAll(/FJORD_[A-Z_]+/g)) expect(start).toContain(name);
  });
});

describe("a long step", () => {
  it("prints a line now and then, one for a file that fails with its first reason, and no control codes", async () => {
    await writeFile(join(folder, "good.test.mjs"), 'it("holds", () => {}); it("holds too", () => {});');
    await writeFile(
      join(folder, "bad.test.mjs"),
      'it("holds", () => {}); it("breaks", () => { throw new Error("on purpose"); });',
    );
    await writeFile(join(folder, "broken.test.mjs"), "this is no program");
    const lines: string[] = [];
    const progress = printProgress((line) => lines.push(line), 20);
    const args = [
      "run",
      "--root",
      folder,
      "--globals",
      "--no-file-parallelism",
      `--reporter=${join(root, "scripts/test/progress-reporter.ts")}`,
    ];
    const group = spawnGroup("node_modules/vitest/vitest.mjs", args, { NO_COLOR: "1" }, () => undefined);
    group.child.on("message", (message) => progress.receive(message));
    await group.ended;
    expect(
      await within(10_000, () => lines.some((line) => /^ {2}3 of 3 files, 3 passed, 2 failed, \d+ s$/.test(line))),
    ).toBe(true);
    progress.stop();
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}running, \d+ s$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}FAILED bad\.test\.mjs; [123] of 3 files, \d passed, [12] failed, \d+ s$/),
    );
    expect(lines).toContain("    breaks: on purpose");
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}FAILED broken\.test\.mjs; /));
    expect(lines.join("")).not.toMatch(/[^\x20-\x7e]/);
  });
});
