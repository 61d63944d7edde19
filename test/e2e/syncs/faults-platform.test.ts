// The platform's death in the middle of a sync, and a store and a network that fail it: nothing is lost, doubled or
// stuck.

import { describe, expect, it } from "vitest";
import { isCommit, isUpload, type ProxiedRequest, type Fate } from "../../support/node/servers/intercepting-proxy.ts";
import { expectRecovered, meet, startReading, TEST_MS, useSyncWorld } from "./faults.ts";

const world = useSyncWorld();

/** The status of a run of PostgreSQL's sync, once the cron triggers have had their turn. */
async function tickAndLook(runId: string) {
  await world().tick();
  return (await world().look("postgres", runId)).status;
}

describe("a sync", () => {
  it("recovers from the death of the whole platform", { timeout: TEST_MS }, async () => {
    const runId = await startReading(world(), "postgres");
    await world().restartPlatform();
    await world().knob("postgres", 0);
    // The queue's messages died with it, and the sweep looks only for what has been overdue for a while.
    await expect.poll(() => tickAndLook(runId), { timeout: 120_000, interval: 3_000 }).not.toBe("STARTED");
    await expectRecovered(world(), "postgres", runId, 2);
    // A restart of engine and platform together is too short to be distinguished from an engine that died: it uses a
    // try.
    expect((await world().look("postgres", runId)).details).toMatchObject({ attempt: 2, attempts_max: 5 });
  });

  it("loses no try to the death of the runtime, which comes back by itself", { timeout: TEST_MS }, async () => {
    const runId = await startReading(world(), "postgres");
    await world().killRuntime();
    await world().knob("postgres", 0);
    await expect.poll(() => tickAndLook(runId), { timeout: 120_000, interval: 3_000 }).not.toBe("STARTED");
    const { details } = await world().look("postgres", runId);
    await expectRecovered(world(), "postgres", runId, details.attempt);
    expect(details.attempts_max - details.attempt).toBe(4);
  });

  it.each<[string, (asked: ProxiedRequest) => boolean, () => Fate]>([
    ["a commit whose answer is lost", isCommit, () => ({ afterwards: () => undefined })],
    ["an upload whose answer is lost", isUpload, () => ({ afterwards: () => undefined })],
    ["an upload that breaks off", isUpload, () => "cut"],
    ["an upload that hangs", isUpload, () => "hang"],
  ])("goes on by itself after %s", { timeout: TEST_MS }, (_, is, fate) =>
    meet(world(), "postgres", { is, fate, attempt: 1 }),
  );

  it("recovers from a storage that takes nothing for a while", { timeout: TEST_MS }, async () => {
    await world().change("mysql");
    world().proxy.rule((asked) => (isUpload(asked) ? 503 : "pass"));
    const runId = await world().run("mysql");
    await expect
      .poll(async () => (await world().look("mysql", runId)).details.reason, { timeout: 60_000 })
      .toContain("The lake's storage could not be written");
    world().proxy.clear();
    const { details } = await world().ended("mysql", runId);
    await expectRecovered(world(), "mysql", runId, details.attempt);
    expect(details.attempt).toBeGreaterThan(1);
  });
});
