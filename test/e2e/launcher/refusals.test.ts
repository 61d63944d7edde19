// `npm start` says in clear words why it can't start, and ticks the clock where it runs.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, it } from "vitest";
import { within } from "../../../scripts/process/group.ts";
import { root } from "../../support/node/platform/platform.ts";
import { freePort } from "../../support/node/servers/server-process.ts";

const run = promisify(execFile);

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
  it("says so when its port is taken", async () => {
    const port = await freePort();
    const holder = createServer().listen(port, "127.0.0.1");
    const { code, text } = await failToStart({ FJORD_PORT: String(port), FJORD_STATE: inject("platform").state });
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
