// `npm start` ends by every means there is: nothing runs on, and the next start finds its data again.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { within } from "../../../scripts/process/group.ts";
import { newState, startPlatform, type Platform } from "../../support/node/platform/platform.ts";
import {
  ENGINE_PROGRAM,
  isRunning,
  listFamily,
  QUERY_PROGRAM,
  survivorsOf,
  type Running,
} from "../../support/node/programs/processes.ts";
import { rowsOf } from "../client.ts";

const GONE_MS = 60_000;
const NPM_START = ["npm", "start"];

const SANDBOX_PROGRAM = "containers/sandbox/main.ts";

/**
 * The launcher's whole family, with one of each kind it must not leave behind. `npm start` has the engine up, and soon
 * the sandbox, though nobody may have asked them anything.
 */
async function wholeFamily({ pid }: Platform): Promise<Running[]> {
  const isThere = async (kind: string) => (await listFamily(pid)).some(isRunning(kind));
  for (const kind of ["wrangler", "workerd", "esbuild", ENGINE_PROGRAM]) expect(await isThere(kind), kind).toBe(true);
  for (const kind of [QUERY_PROGRAM, SANDBOX_PROGRAM])
    expect(await within(GONE_MS, () => isThere(kind)), kind).toBe(true);
  return listFamily(pid);
}

const allGone = (family: Running[]) => within(GONE_MS, async () => (await survivorsOf(family)).length === 0);

describe("npm start", () => {
  let state: string;
  beforeAll(async () => {
    state = await newState();
  });
  afterAll(() => rm(state, { recursive: true, force: true, maxRetries: 5 }));

  it("has its programs up unasked, leaves no process behind, however it ends, and finds its data again", async () => {
    const first = await startPlatform({ state, command: NPM_START });
    expect(first.output()).not.toContain("\u001b[");
    const count = "SELECT count(*) AS n FROM LAKE.sample.order_items";
    const before = await rowsOf(count, {}, first);
    let family = await wholeFamily(first);
    await first.stop("SIGTERM");
    expect(await allGone(family)).toBe(true);

    // A second start of the folder, on another port and without npm, has everything in it and makes nothing again.
    const second = await startPlatform({ state, command: [process.execPath, join("scripts", "run.mjs"), "start"] });
    expect(second.key).toBe(first.key);
    expect(second.output()).not.toMatch(/Applying|Loading/);
    // Nobody has asked the engine anything: no sample was loaded, and no query sent.
    await wholeFamily(second);
    expect(await rowsOf(count, {}, second)).toEqual(before);
    family = await listFamily(second.pid);
    expect(await second.stop("SIGINT")).toBe(0);
    expect(await allGone(family)).toBe(true);
    // Its server ends because the launcher does, and is not started again meanwhile.
    for (const { output } of [first, second]) expect(output()).not.toContain("runtime died");

    // Killed outright, it can do nothing itself: its family notices.
    const third = await startPlatform({ state });
    family = await wholeFamily(third);
    await third.stop("SIGKILL");
    expect(await allGone(family)).toBe(true);

    // Nor does that harm the data, and the server's own death ends the rest.
    const fourth = await startPlatform({ state });
    expect(await rowsOf(count, {}, fourth)).toEqual(before);
    family = await wholeFamily(fourth);
    for (const { pid } of family.filter(isRunning("wrangler-dist"))) process.kill(pid, "SIGKILL");
    expect(await within(GONE_MS, () => fourth.child.exitCode !== null)).toBe(true);
    expect(fourth.child.exitCode).toBe(1);
    expect(fourth.output()).toContain("ended by itself");
    expect(await allGone(family)).toBe(true);
  }, 600_000);
});
