// `npm start` as a person meets it: a second start, an end by every means, and clear words when it can't.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { within } from "../../scripts/process/group.ts";
import { newState, root, startPlatform, type Platform } from "../support/node/platform/platform.ts";
import { listFamily, survivorsOf, type Running } from "../support/node/programs/processes.ts";
import { freePort } from "../support/node/servers/server-process.ts";
import { rowsOf } from "./client.ts";

const run = promisify(execFile);
const GONE_MS = 60_000;
const NPM_START = ["npm", "start"];
const isA =
  (name: string) =>
  ({ command }: Running) =>
    command.includes(name);

/** The launcher's whole family once its engine runs too, with one of each kind it must not leave behind. */
async function wholeFamily({ pid, baseUrl, key }: Platform): Promise<Running[]> {
  await rowsOf("SELECT count(*) AS n FROM LAKE.sample.products", {}, { baseUrl, key });
  const family = await listFamily(pid);
  for (const kind of ["wrangler", "workerd", "esbuild", "containers/engine/main.ts", "query-process"])
    expect(family.some(isA(kind)), kind).toBe(true);
  return family;
}

/** A program in esbuild's place that crashes for the first server that starts it, and is esbuild for the next. */
async function bundlerThatDies(folder: string): Promise<string> {
  const [program, first] = [join(folder, "esbuild"), join(folder, "first")];
  const real = createRequire(createRequire(import.meta.url).resolve("esbuild")).resolve(
    `@esbuild/${process.platform}-${process.arch}/bin/esbuild`,
  );
  await writeFile(
    program,
    `#!/bin/sh\n[ -e "${first}" ] || echo $PPID >"${first}"\n[ "$(cat "${first}")" != $PPID ] || kill -SEGV $$\nexec "${real}" "$@"\n`,
    { mode: 0o755 },
  );
  return program;
}

const allGone = (family: Running[]) => within(GONE_MS, async () => (await survivorsOf(family)).length === 0);

/** What a start that must fail prints, with its exit code. */
async function failToStart(env: Record<string, string>): Promise<{ code: number; text: string }> {
  const failed = await run(process.execPath, [join("scripts", "run.mjs"), "start"], {
    cwd: root,
    env: { ...process.env, ...env },
    timeout: 60_000,
  }).catch((error: { code: number; stdout: string; stderr: string }) => error);
  return { code: "code" in failed ? failed.code : 0, text: `${failed.stdout}${failed.stderr}` };
}

describe("npm start", () => {
  let state: string;
  beforeAll(async () => {
    state = await newState();
  });
  afterAll(() => rm(state, { recursive: true, force: true, maxRetries: 5 }));

  it("leaves no process behind, however it ends, and finds its data again", async () => {
    const first = await startPlatform({ state, command: NPM_START });
    expect(first.output()).not.toContain("\u001b[");
    const count = "SELECT count(*) AS n FROM LAKE.sample.order_items";
    const before = await rowsOf(count, {}, first);
    let family = await wholeFamily(first);
    await first.stop("SIGTERM");
    expect(await allGone(family)).toBe(true);

    // The same folder on another port, started without npm: with everything in it, and nothing made again.
    const second = await startPlatform({ state, command: [process.execPath, join("scripts", "run.mjs"), "start"] });
    expect(second.key).toBe(first.key);
    expect(second.output()).not.toMatch(/migrations …|Loading/);
    expect(await rowsOf(count, {}, second)).toEqual(before);
    family = await wholeFamily(second);
    expect(await second.stop("SIGINT")).toBe(0);
    expect(await allGone(family)).toBe(true);

    // Killed outright, it can do nothing itself: its family notices.
    const third = await startPlatform({ state });
    family = await wholeFamily(third);
    await third.stop("SIGKILL");
    expect(await allGone(family)).toBe(true);

    // Nor does that harm the data, and the server's own death ends the rest.
    const fourth = await startPlatform({ state });
    expect(await rowsOf(count, {}, fourth)).toEqual(before);
    family = await wholeFamily(fourth);
    for (const { pid } of family.filter(isA("wrangler-dist"))) process.kill(pid, "SIGKILL");
    expect(await within(GONE_MS, () => fourth.child.exitCode !== null)).toBe(true);
    expect(fourth.child.exitCode).toBe(1);
    expect(fourth.output()).toContain("ended by itself");
    expect(await allGone(family)).toBe(true);
  }, 600_000);

  it("brings its runtime back when that is killed, with its data, its engine and what the engine is at", async () => {
    const platform = await startPlatform({ state });
    try {
      const count = "SELECT count(*) AS n FROM LAKE.sample.order_items";
      const before = await rowsOf(count, {}, platform);
      const family = await listFamily(platform.pid);
      const engines = (of: Running[]) => of.filter(isA("containers/engine/main.ts")).map(({ pid }) => pid);
      // One of the runtime's two processes, then both.
      for (const victims of [family.filter(isA("workerd serve")).slice(0, 1), undefined]) {
        for (const { pid } of victims ?? (await listFamily(platform.pid)).filter(isA("workerd serve")))
          process.kill(pid, "SIGKILL");
        const answers = () =>
          fetch(`${platform.baseUrl}/`, { signal: AbortSignal.timeout(2_000) }).then(
            ({ ok }) => ok,
            () => false,
          );
        const told = () => platform.output().match(/The platform answers again/g)?.length ?? 0;
        expect(
          await within(90_000, async () => told() === (victims ? 1 : 2) && (await answers())),
          platform.output(),
        ).toBe(true);
        expect(await rowsOf(count, {}, platform)).toEqual(before);
      }
      expect(engines(await listFamily(platform.pid))).toEqual(engines(family));
      expect(platform.output()).toContain("runtime died");
      expect(platform.child.exitCode).toBeNull();
    } finally {
      expect(await platform.stop()).toBe(0);
    }
  }, 300_000);

  it("starts its server once more when that dies at birth", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fjord-bundler-"));
    try {
      const platform = await startPlatform({ state, env: { ESBUILD_BINARY_PATH: await bundlerThatDies(folder) } });
      expect(platform.output()).toContain("Starting it once more");
      expect(await platform.stop()).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);

  it("says so when its port is taken", async () => {
    const port = await freePort();
    const holder = createServer().listen(port, "127.0.0.1");
    const { code, text } = await failToStart({ FJORD_PORT: String(port), FJORD_STATE: state });
    holder.close();
    expect(code).toBe(1);
    expect(text).toContain(`Port ${port} is taken`);
    expect(text).toContain("FJORD_PORT=");
  });

  it("says so when another one runs from the same folder", async () => {
    const { code, text } = await failToStart({
      FJORD_PORT: String(await freePort()),
      FJORD_STATE: inject("platform").state,
    });
    expect(code).toBe(1);
    expect(text).toMatch(/runs already from .* \(process \d+\)/);
  });

  it("says so when a setting makes no sense", async () => {
    expect(await failToStart({ FJORD_PORT: "http" })).toMatchObject({
      code: 1,
      text: expect.stringContaining('FJORD_PORT is "http"'),
    });
  });

  it("ticks the cron", async () => {
    const log = join(inject("platform").state, "logs", "cron.log");
    const hasTicked = async () => / 200 /.test(await readFile(log, "utf8").catch(() => ""));
    expect(await within(130_000, hasTicked)).toBe(true);
  }, 150_000);
});
