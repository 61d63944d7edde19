// Kills and cuts while a sync reads, over real processes and real databases: nothing is lost, doubled or stuck.

import { describe, it } from "vitest";
import { expectRecovered, startReading, TEST_MS, useSyncWorld } from "./faults.ts";
import type { Kind } from "./world.ts";

const world = useSyncWorld();
const KINDS: Kind[] = ["postgres", "mysql"];

describe.each(KINDS)("a sync of %s", (kind) => {
  it("recovers from its engine's death while it reads", { timeout: TEST_MS }, async () => {
    const runId = await startReading(world(), kind);
    await world().signalEngine("SIGKILL");
    await world().knob(kind, 0);
    await expectRecovered(world(), kind, runId, 2);
  });

  it("recovers from the loss of its connections", { timeout: TEST_MS }, async () => {
    const runId = await startReading(world(), kind);
    await world().cutSource(kind);
    await world().knob(kind, 0);
    await expectRecovered(world(), kind, runId, 2);
  });

  it("recovers from a crash of the database", { timeout: TEST_MS }, async () => {
    const runId = await startReading(world(), kind);
    await world().servers[kind].restart();
    await world().knob(kind, 0);
    await expectRecovered(world(), kind, runId, 2);
  });
});

describe("a sync", () => {
  it("goes on in another engine when its own is asked to end", { timeout: TEST_MS }, async () => {
    const runId = await startReading(world(), "postgres");
    await world().signalEngine("SIGTERM");
    await world().knob("postgres", 0);
    await expectRecovered(world(), "postgres", runId, 2);
  });
});
