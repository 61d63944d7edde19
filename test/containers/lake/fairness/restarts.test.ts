// Query processes that can't be started: they take no core for themselves, and statements are told.

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readLakeSettings } from "../../../../containers/engine/core/settings.ts";
import { QueryPool } from "../../../../containers/engine/lake/process/pool/query-pool.ts";
import { restartMs, START_FAILURES_MAX } from "../../../../containers/engine/lake/process/pool/restarts.ts";

const node = process.execPath;
afterEach(() => void (process.execPath = node));

describe("query processes that can't be started", () => {
  it("are tried again ever more seldom, and for ever", () => {
    const pauses = Array.from({ length: 10 }, (_, i) => restartMs(i + 1));
    expect(pauses.slice(0, 4)).toEqual([250, 500, 1_000, 2_000]);
    expect(Math.max(...pauses, restartMs(5_000))).toBe(30_000);
  });

  it("keep no statement waiting, and serve the next once they can be", async () => {
    const directory = mkdtempSync(join(tmpdir(), "fjord-restarts-"));
    const [starts, broken] = [join(directory, "starts"), join(directory, "broken-node")];
    writeFileSync(broken, `#!/bin/sh\necho start >> ${starts}\nexit 1\n`);
    chmodSync(broken, 0o755);
    const countStarts = (): number => (existsSync(starts) ? readFileSync(starts, "utf8").split("\n").length - 1 : 0);
    process.execPath = broken;
    const settings = readLakeSettings({});
    const pool = new QueryPool({ ...settings, processes: 2, cacheDirectory: join(directory, "cache") });
    try {
      pool.start();
      const ask = (): Promise<string> =>
        pool.withProcess(AbortSignal.timeout(60_000), (each) => Promise.resolve(`${each.alive}`));
      const failures = await Promise.allSettled(Array.from({ length: 6 }, ask));
      for (const each of failures)
        expect(each).toMatchObject({ status: "rejected", reason: { code: "platform_unavailable" } });
      const before = countStarts();
      expect(before).toBeLessThanOrEqual(START_FAILURES_MAX + 1);
      for (let i = 0; i < 50; i++) await expect(ask()).rejects.toMatchObject({ code: "platform_unavailable" });
      expect(countStarts()).toBeLessThanOrEqual(before + 1);
      process.execPath = node;
      await expect.poll(() => ask().catch(() => "not yet"), { timeout: 60_000, interval: 100 }).toBe("true");
    } finally {
      await pool.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
