// How long a step has its run to itself, on runs of a sync over the real database and catalog.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WORK_LIMITS } from "../../../../src/features/work-model/limits.ts";
import { newWorld, SUCCEEDED, type World } from "../../../support/unit/work-model/sync-world.ts";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));
afterEach(() => void vi.useRealTimers());

const linesOf = async (world: World, run: { id: string }) =>
  (await world.deps.openLog(world.teamId).read(run.id, 0, 100)).lines.map(({ message }) => message);

/** Makes the next step of the run stand still in the call that starts its job, as one whose Worker was killed. */
async function dieInStart(world: World, run: { id: string }): Promise<void> {
  await new Promise<void>((isAtIt) => {
    world.onStart = () => {
      isAtIt();
      return new Promise(() => undefined);
    };
    void world.step(run);
  });
  world.onStart = () => undefined;
}

describe("a step that died in the start of an attempt", () => {
  it("is followed by the next tick once its claim has run out, and the run's log tells the gap", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await dieInStart(world, run);
    const diedAt = world.now().toISOString().slice(0, 19);
    world.messages = [];
    world.nowMs += WORK_LIMITS.claimMs + 1_000;
    expect(await world.tick()).toMatchObject({ syncRunsWoken: 1 });
    expect(world.messages.map(({ id }) => id)).toEqual([run.id]);
    expect(await world.step(run)).toBe("start");
    expect(await world.find(run)).toMatchObject({ state: "running", attempt: 1 });
    const takenAt = world.now().toISOString().slice(0, 19);
    expect(await linesOf(world, run)).toEqual([
      `The platform was away from ${diedAt}Z to ${takenAt}Z; the run goes on with its next step.`,
      "Attempt 1 has started.",
    ]);
  });

  it("is followed when its claim runs out, where a tick comes before that", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await dieInStart(world, run);
    world.messages = [];
    world.nowMs += 1_000;
    await world.tick();
    expect(world.messages).toMatchObject([{ id: run.id, atMs: world.nowMs + WORK_LIMITS.claimMs }]);
    expect(await world.step(run), "the claim holds").toBe("wait");
    world.nowMs += WORK_LIMITS.claimMs;
    expect(await world.step(run)).toBe("start");
  });
});

describe("a step that sleeps through its claim", () => {
  it.each(["findHeldLease", "outcomeOf"])("leaves its successor's lease alone, where it slept in %s", async (where) => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await world.step(run);
    await world.beat(world.onlyJob());
    const lost = world.onlyJob();
    await world.end(lost, { ...SUCCEEDED, outcome: "failed", error: "It broke.", retryable: true });
    world.nowMs = (await world.find(run)).dueAtMs;
    const sleeps = Promise.withResolvers<void>();
    const wakes = Promise.withResolvers<void>();
    world.onCall = async (name) => {
      if (name !== where) return;
      world.onCall = () => undefined;
      sleeps.resolve();
      await wakes.promise;
    };
    const asleep = world.step(run);
    await sleeps.promise;
    world.nowMs += WORK_LIMITS.claimMs + 1_000;
    await world.stepWhenDue(run);
    while ((await world.find(run)).state !== "running") await world.stepWhenDue(run);
    const successor = world.onlyJob();
    expect(successor.fence).toBeGreaterThan(lost.fence);
    wakes.resolve();
    await asleep;
    expect(await world.isAlive(successor)).toBe(true);
  });
});

describe("a step that begins a run", () => {
  it("has moved it on, though the next runs could not be woken", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    world.deps.wakeUps = { ...world.deps.wakeUps, sendAll: () => Promise.reject(new Error("The queue is away.")) };
    expect(await world.step(run)).toBe("begin");
    expect(await world.find(run)).toMatchObject({ state: "running", breaks: 0 });
  });
});

describe("a step that takes longer than its claim", () => {
  it("keeps its run while it works", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let goOn = () => undefined as void;
    world.onStart = () => new Promise((resolve) => (goOn = resolve));
    const step = world.step(run);
    await vi.waitFor(() => expect(world.started).toHaveLength(1));
    for (const until = world.nowMs + 60_000; world.nowMs < until; ) {
      world.nowMs += WORK_LIMITS.claimRenewMs;
      vi.advanceTimersByTime(WORK_LIMITS.claimRenewMs);
      await vi.waitFor(async () =>
        expect((await world.find(run)).claimedUntilMs).toBe(world.nowMs + WORK_LIMITS.claimMs),
      );
      expect(await world.step(run)).toBe("wait");
    }
    goOn();
    expect(await step).toBe("begin");
    expect(await world.find(run)).toMatchObject({ state: "running", claimedUntilMs: null });
    expect(await linesOf(world, run)).toEqual(["Attempt 1 has started."]);
  });
});

describe("an attempt that nobody looked at when that was due", () => {
  it("goes on, and keeps its run, while the log of that gap does not answer", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await world.step(run);
    const { dueAtMs } = await world.find(run);
    world.nowMs = dueAtMs + 45_000;
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<never>();
    const { openLog } = world.deps;
    world.deps.openLog = (teamId) => ({
      ...openLog(teamId),
      append: () => {
        asked.resolve();
        return answered.promise;
      },
    });
    const step = world.step(run);
    await asked.promise;
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    world.nowMs += WORK_LIMITS.claimRenewMs;
    vi.advanceTimersByTime(WORK_LIMITS.claimRenewMs);
    await vi.waitFor(async () =>
      expect((await world.find(run)).claimedUntilMs).toBe(world.nowMs + WORK_LIMITS.claimMs),
    );
    answered.reject(new Error("The log is away."));
    expect(await step).toBe("watch");
    expect(await world.find(run)).toMatchObject({ breaks: 0, claimedUntilMs: null });
  });

  it("says so in the run's log once somebody does", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await world.step(run);
    await world.beat(world.onlyJob());
    await world.stepWhenDue(run);
    const { dueAtMs } = await world.find(run);
    world.nowMs = dueAtMs + 45_000;
    await world.step(run);
    const [from, to] = [dueAtMs, world.nowMs].map((ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`);
    expect(await linesOf(world, run)).toEqual([
      "Attempt 1 has started.",
      `The platform was away from ${from} to ${to}; the run goes on with its next step.`,
    ]);
  });
});
