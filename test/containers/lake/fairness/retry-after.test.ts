// When a statement is told to come again that an engine has no room for.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { readLakeSettings } from "../../../../containers/engine/core/settings.ts";
import type { StatementClass } from "../../../../kernel/wire/engine-program.ts";
import { QueryPool } from "../../../../containers/engine/lake/process/pool/query-pool.ts";

function openPool(): QueryPool {
  const directory = mkdtempSync(join(tmpdir(), "fjord-retry-"));
  const pool = new QueryPool({ ...readLakeSettings({}), processes: 1, cacheDirectory: directory });
  onTestFinished(async () => {
    await pool.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  pool.start();
  return pool;
}

it("is when those that wait now have had their turn, of the quicker class where both wait", async () => {
  const pool = openPool();
  const end = new AbortController();
  const held = new Promise<void>((resolve) => end.signal.addEventListener("abort", () => resolve()));
  /** One that runs, and those that wait for it. */
  const crowd = (statementClass: StatementClass, waiting: number): Promise<unknown>[] =>
    Array.from({ length: 1 + waiting }, () => pool.withDatabase({ statementClass }, end.signal, () => held));

  // The mean of the usual 100 ms and, with a tenth of the weight, of a hundred seconds.
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  await pool.withProcess(end.signal, async () => void clock.mockReturnValue(performance.now() + 100_000));
  clock.mockRestore();

  expect(pool.retryAfterSeconds).toBe(1);
  const short = crowd("short", 3);
  expect(pool.retryAfterSeconds).toBe(31);
  const long = crowd("long", 2);
  expect(pool.retryAfterSeconds).toBe(1);
  const classes = pool.admitted.map(({ statementClass }) => statementClass);
  expect([classes, pool.slots]).toEqual([
    ["short", "short", "short", "short", "long", "long", "long"],
    { short: 1, long: 1 },
  ]);
  end.abort();
  await Promise.allSettled([...short, ...long]);
});
