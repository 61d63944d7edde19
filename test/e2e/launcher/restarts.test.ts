// `npm start` keeps its server running: what dies under it is started again.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { within } from "../../../scripts/process/group.ts";
import { copyState, startPlatform } from "../../support/node/platform/platform.ts";
import { ENGINE_PROGRAM, isRunning, listFamily, type Running } from "../../support/node/programs/processes.ts";
import { rowsOf } from "../client.ts";

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

describe("npm start", () => {
  let state: string;
  beforeAll(async () => {
    state = await copyState(inject("seed"));
  });
  afterAll(() => rm(state, { recursive: true, force: true, maxRetries: 5 }));

  it("brings its runtime back when that is killed, with its data, its engine and what the engine is at", async () => {
    const platform = await startPlatform({ state });
    try {
      const count = "SELECT count(*) AS n FROM LAKE.sample.order_items";
      const before = await rowsOf(count, {}, platform);
      const family = await listFamily(platform.pid);
      const engines = (of: Running[]) => of.filter(isRunning(ENGINE_PROGRAM)).map(({ pid }) => pid);
      // One of the runtime's two processes, then both.
      for (const victims of [family.filter(isRunning("workerd serve")).slice(0, 1), undefined]) {
        for (const { pid } of victims ?? (await listFamily(platform.pid)).filter(isRunning("workerd serve")))
          process.kill(pid, "SIGKILL");
        const answers = () =>
          fetch(`${platform.baseUrl}/`, { signal: AbortSignal.timeout(2_000) }).then(
            ({ ok }) => ok,
            () => false,
          );
        const restarts = () => platform.output().match(/The platform answers again/g)?.length ?? 0;
        expect(
          await within(90_000, async () => restarts() === (victims ? 1 : 2) && (await answers())),
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
});
