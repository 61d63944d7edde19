import { syncRuns } from "../../../../../../src/platform/db/schema/schema.ts";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../../../src/core/limits.ts";
import { cancelRun } from "../../../../../../src/features/work-model/runs/store-runs.ts";
import { noRoom } from "../../../../../support/unit/work-model/engine-world.ts";
import { newWorld, type World } from "../../../../../support/unit/work-model/sync-world.ts";
import type { Run } from "../../../../../../src/features/syncs/runs/run.ts";

async function newRun() {
  const world = await newWorld();
  const sync = await world.addSync();
  return { world, sync, run: await world.run(sync) };
}

const cancel = (world: World, run: Run) =>
  cancelRun(world.db, syncRuns, run, { at: world.now().toISOString(), reason: "Cancelled by Ada." });

const said = async (world: World, run: Run) =>
  (await world.deps.openLog(world.teamId).read(run.id, 0, 100)).lines.map(({ message }) => message);

describe("a cancel", () => {
  it("kills the job's fence and the job, and then says so", async () => {
    const { world, run } = await newRun();
    await world.step(run);
    const job = world.onlyJob();
    await cancel(world, run);
    expect(await world.step(run)).toBe("stop");
    expect(await world.find(run)).toMatchObject({
      state: "cancelled",
      cancelReason: "Cancelled by Ada.",
      workId: null,
    });
    expect([world.cancelled, await world.isAlive(job)]).toEqual([[job.request.id], false]);
    expect(await said(world, run)).toContain("Cancelled by Ada.");
  });

  it("makes way for a run that begins as soon as the cancelled one has ended", async () => {
    const world = await newWorld();
    const sync = await world.addSync();
    const first = await world.run(sync);
    await world.step(first);
    await cancelRun(world.db, syncRuns, first, { at: world.now().toISOString(), reason: "Cancelled by Ada." });
    const second = await world.run(sync);
    expect(second.id).not.toBe(first.id);
    expect((await world.run(sync)).id).toBe(second.id);
    expect(await world.step(second)).toBe("wait");
    world.messages = [];
    await world.step(first);
    expect((await world.find(first)).state).toBe("cancelled");
    expect(world.messages.map(({ id }) => id)).toEqual([second.id]);
    expect(await world.step(second)).toBe("begin");
    expect(world.onlyJob().request.work).toMatchObject({ runId: second.id });
  });

  it("of a run that waits for another ends it at once, and leaves the other alone", async () => {
    const { world, sync, run } = await newRun();
    await world.step(run);
    const full = await world.run(sync, { isFull: true });
    await cancel(world, full);
    expect(await world.step(full)).toBe("end");
    expect([(await world.find(full)).state, (await world.find(run)).state]).toEqual(["cancelled", "running"]);
  });

  it("of a run that waits ends it without another attempt", async () => {
    const { world, run } = await newRun();
    world.onStart = noRoom;
    await world.step(run);
    await cancel(world, run);
    expect(await world.step(run)).toBe("end");
    expect(await world.find(run)).toMatchObject({ state: "cancelled", attempt: 0 });
  });

  it("that comes while the attempt starts ends it right after", async () => {
    const { world, run } = await newRun();
    world.onStart = async () => void (await cancel(world, run));
    await world.step(run);
    // The step that was under way saw it when it was done, and sends the message without delay.
    expect(world.messages.at(-1)).toMatchObject({ id: run.id, atMs: world.nowMs });
    expect(await world.step(run)).toBe("stop");
    expect(await world.find(run)).toMatchObject({ state: "cancelled" });
  });

  it("that comes after the job has succeeded changes nothing", async () => {
    const { world, run } = await newRun();
    await world.step(run);
    await world.finish(world.onlyJob());
    await cancel(world, run);
    await world.step(run);
    expect(await world.find(run)).toMatchObject({ state: "succeeded" });
  });

  it("of a run that can't be reached ends with it at the latest at the run's deadline", async () => {
    const { world, run } = await newRun();
    await world.step(run);
    world.nowMs += LIMITS.syncRunMsMax;
    expect(await world.step(run)).toBe("stop");
    expect(await world.find(run)).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/given up after 24 hours/),
    });
  });
});
