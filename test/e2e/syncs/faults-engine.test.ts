// The engine's death while a sync writes, and its standstill: nothing is lost, doubled or stuck.

import { describe, expect, it } from "vitest";
import { isCommit, isUpload, type ProxiedRequest, type Fate } from "../../support/node/servers/intercepting-proxy.ts";
import { expectRecovered, meet, once, startReading, TEST_MS, useSyncWorld } from "./faults.ts";
import type { Kind } from "./world.ts";

const world = useSyncWorld();

describe("a sync", () => {
  it.each<[string, Kind, (asked: ProxiedRequest) => boolean, () => Fate | Promise<Fate>]>([
    [
      "while it uploads",
      "mysql",
      isUpload,
      () =>
        world()
          .signalEngine("SIGKILL")
          .then(() => "hang"),
    ],
    [
      "before a commit",
      "postgres",
      isCommit,
      () =>
        world()
          .signalEngine("SIGKILL")
          .then(() => "hang"),
    ],
    [
      "after a commit it has not heard of",
      "mysql",
      isCommit,
      () => ({ afterwards: () => world().signalEngine("SIGKILL") }),
    ],
  ])("recovers from its engine's death %s", { timeout: TEST_MS }, (_, kind, is, fate) =>
    meet(world(), kind, { is, fate, attempt: 2 }),
  );
});

describe("an engine that stands still", () => {
  it("commits nothing once another attempt may, however late it wakes", { timeout: TEST_MS }, async () => {
    await world().change("postgres");
    const held = Promise.withResolvers<Fate>();
    const { rule, met } = once(isCommit, () => held.promise);
    world().proxy.rule(rule);
    const runId = await world().run("postgres");
    await met;
    await world().signalEngine("SIGSTOP");
    // Its lease runs out, and the run gives the attempt up.
    await expect
      .poll(async () => (await world().look("postgres", runId)).details.reason, { timeout: 120_000, interval: 500 })
      .not.toBeNull();
    await world().change("postgres");
    held.resolve("pass");
    await world().signalEngine("SIGCONT");
    await expectRecovered(world(), "postgres", runId, 2);
  });

  it("is killed and replaced when it never wakes", { timeout: TEST_MS }, async () => {
    const runId = await startReading(world(), "mysql");
    await world().signalEngine("SIGSTOP");
    await world().knob("mysql", 0);
    const [stopped] = await world().engines();
    await expectRecovered(world(), "mysql", runId, 2);
    expect(await world().engines()).not.toContain(stopped);
  });
});
