// What is kept of a run's attempts, on runs of a sync over the real database and catalog.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { WORK_LIMITS } from "../../../../src/features/work-model/limits.ts";
import { SYNC_LIMITS } from "../../../../src/features/syncs/limits.ts";
import { sweepSyncRuns } from "../../../../src/features/syncs/runs/sweep.ts";
import { findAttempt, findAttemptOfJob, listAttempts } from "../../../../src/features/work-model/attempts.ts";
import { noRoom } from "../../../support/unit/work-model/engine-world.ts";
import { newWorld, SUCCEEDED, type World } from "../../../support/unit/work-model/sync-world.ts";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

const attemptsOf = async (world: World, run: { id: string }) =>
  (await listAttempts(world.deps, { teamId: world.teamId, id: run.id }, { ascending: true, limit: 50, offset: 0 }))
    .items;
const BROKE = { ...SUCCEEDED, outcome: "failed" as const, error: "It broke.", retryable: true };

describe("an attempt", () => {
  it("is a row from its beginning to its end, with the engine's job and why it failed", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    expect(await attemptsOf(world, run)).toEqual([]);
    const beganAt = world.now().toISOString();
    await world.step(run);
    const first = world.onlyJob();
    const running = { runId: run.id, attempt: 1, state: "running", workId: first.request.id, error: null };
    expect(await attemptsOf(world, run)).toMatchObject([{ ...running, startedAt: beganAt, endedAt: null }]);
    await world.finish(first, BROKE);
    await world.stepWhenDue(run);
    const endedAt = world.now().toISOString();
    expect(await attemptsOf(world, run)).toMatchObject([{ ...running, state: "failed", error: "It broke.", endedAt }]);

    await world.stepWhenDue(run);
    const second = world.onlyJob();
    await world.finish(second);
    await world.stepWhenDue(run);
    const ended = await attemptsOf(world, run);
    expect(ended.map(({ attempt, state, error }) => [attempt, state, error])).toEqual([
      [1, "failed", "It broke."],
      [2, "succeeded", null],
    ]);
    const newest = await listAttempts(world.deps, { teamId: world.teamId, id: run.id }, { limit: 1, offset: 0 });
    expect(newest).toMatchObject({ items: [{ attempt: 2 }], total: 2 });
    expect(await findAttempt(world.deps, { teamId: world.teamId, id: run.id }, 1)).toEqual(ended[0]);
    expect(await findAttemptOfJob(world.deps, world.teamId, second.request.id)).toEqual(ended[1]);
    const other = await newWorld();
    expect(await findAttemptOfJob(world.deps, other.teamId, second.request.id)).toBeUndefined();
    expect(await findAttempt(world.deps, { teamId: other.teamId, id: run.id }, 1)).toBeUndefined();
  });

  it("that no engine had room for leaves no row, and its number to the next", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    world.onStart = noRoom;
    await world.step(run);
    expect(await attemptsOf(world, run)).toEqual([]);
    world.onStart = () => undefined;
    await world.stepWhenDue(run);
    expect(await attemptsOf(world, run)).toMatchObject([{ attempt: 1, state: "running" }]);
  });

  it("of a run that is cancelled says who did so; where none was under way, none is made up", async () => {
    const world = await newWorld();
    const [begun, waiting] = [await world.run(await world.addSync()), await world.run(await world.addSync())];
    await world.step(begun);
    for (const run of [begun, waiting]) {
      await world.cancel(run, "Cancelled by Ada.");
      await world.step(run);
    }
    expect(await attemptsOf(world, begun)).toMatchObject([{ state: "cancelled", error: "Cancelled by Ada." }]);
    expect(await attemptsOf(world, waiting)).toEqual([]);
  });

  it("is begun once by however many begin it at once", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await Promise.all([world.step(run), world.step(run), world.step(run)]);
    expect(await attemptsOf(world, run)).toMatchObject([{ attempt: 1, workId: world.onlyJob().request.id }]);
  });

  it("is forgotten with its run", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await world.step(run);
    await world.finish(world.onlyJob());
    await world.stepWhenDue(run);
    expect(await attemptsOf(world, run)).toHaveLength(1);
    world.nowMs += WORK_LIMITS.keptMs + 60_000;
    await sweepSyncRuns(world.deps, world.now());
    expect(await attemptsOf(world, run)).toEqual([]);
  });
});

describe("a step that breaks each time", () => {
  /** Steps until the run is queued again or has ended. */
  const stepUntilOver = async (world: World, run: { id: string }) => {
    for (let steps = 1; ; steps++) {
      await world.stepWhenDue(run);
      const { state } = await world.find(run);
      if (state !== "starting" && state !== "running") return steps;
      expect(steps).toBeLessThan(50);
    }
  };

  it("ends its attempt with the reason, and its job, after a number of times", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await world.step(run);
    const job = world.onlyJob();
    let broken = 0;
    world.onCall = () => {
      if (broken++ < WORK_LIMITS.breaksMax) throw new Error("A row that nobody can read.");
    };
    expect(await stepUntilOver(world, run)).toBe(WORK_LIMITS.breaksMax + 1);
    expect(world.cancelled).toContain(job.request.id);
    expect(await world.isAlive(job)).toBe(false);
    const error = expect.stringMatching(/broke 10 times in a row/);
    expect(await world.find(run)).toMatchObject({ state: "queued", attempt: 1, breaks: 0, error });
    expect(await attemptsOf(world, run)).toMatchObject([{ state: "failed", error }]);
    await world.stepWhenDue(run);
    expect(await world.find(run)).toMatchObject({ state: "running", attempt: 2 });
  });

  it("ends the attempt where its job can't be ended either, and the run after its last one", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    world.onCall = () => {
      throw new Error("The catalog is away for good.");
    };
    for (let attempt = 1; attempt <= SYNC_LIMITS.attemptsMax; attempt++)
      expect(await stepUntilOver(world, run)).toBe(2 * WORK_LIMITS.breaksMax + 1);
    const error = expect.stringMatching(/broke 20 times in a row/);
    expect(await world.find(run)).toMatchObject({ state: "failed", error });
    expect(await attemptsOf(world, run)).toMatchObject(
      Array.from({ length: SYNC_LIMITS.attemptsMax }, (_, index) => ({ attempt: index + 1, state: "failed", error })),
    );
  });

  it("is forgotten by one that observes something", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await world.step(run);
    let calls = 0;
    world.onCall = () => {
      if (calls++ < WORK_LIMITS.breaksMax - 1) throw new Error("The worker was moved.");
    };
    for (let broken = 1; broken < WORK_LIMITS.breaksMax; broken++) {
      await world.stepWhenDue(run);
      expect(await world.find(run)).toMatchObject({ breaks: broken, state: "running" });
      await world.beat(world.onlyJob());
    }
    world.nowMs = (await world.find(run)).dueAtMs;
    await world.beat(world.onlyJob());
    await world.stepWhenDue(run);
    expect(await world.find(run)).toMatchObject({ breaks: 0, state: "running", attempt: 1, error: null });
  });

  it("is not repeated without a pause, though the run was cancelled", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await world.step(run);
    await world.cancel(run, "Cancelled.");
    world.messages = [];
    world.onCall = () => {
      throw new Error("The catalog is away.");
    };
    await world.step(run);
    expect(world.messages.every(({ atMs }) => atMs > world.nowMs + 1_000)).toBe(true);
    expect(await world.step(run)).toBe("wait");
    world.onCall = () => undefined;
    await world.stepWhenDue(run);
    expect(await world.find(run)).toMatchObject({ state: "cancelled" });
  });
});
