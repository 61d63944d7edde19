import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../../../src/core/limits.ts";
import { WORK_LIMITS } from "../../../../../../src/features/work-model/limits.ts";
import { newWorld, NO_TABLES } from "../../../../../support/unit/work-model/sync-world.ts";

async function newRun() {
  const world = await newWorld();
  const sync = await world.addSync();
  return { world, sync, run: await world.run(sync) };
}

describe("a run that is asked for beside another", () => {
  it("waits for its turn, through the other's attempts, and begins when that has ended, with its whole time before it", async () => {
    const { world, sync, run } = await newRun();
    await world.step(run);
    const full = await world.run(sync, { isFull: true });
    expect(full.id).not.toBe(run.id);
    const some = await world.run(sync, { onlyTables: ["public.orders"], isFull: true });
    expect(some.id, "a full run that has not begun brings it").toBe(full.id);
    expect((await world.run(sync)).id, "and the one at work brings the rest").toBe(run.id);
    expect(await world.step(full)).toBe("wait");
    await world.finish(world.onlyJob(), {
      outcome: "failed",
      error: "It broke.",
      retryable: true,
      progress: NO_TABLES,
    });
    await world.stepWhenDue(run);
    expect((await world.find(run)).state).toBe("queued");
    expect(await world.step(full)).toBe("wait");
    world.nowMs += LIMITS.syncRunMsMax / 2;
    await world.step(run);
    await world.finish(world.onlyJob());
    world.messages = [];
    await world.stepWhenDue(run);
    expect(world.messages.map(({ id }) => id)).toEqual([full.id]);
    expect(await world.step(full)).toBe("begin");
    expect(world.onlyJob().request.work).toMatchObject({ runId: full.id, full: true, only: null });
    expect((await world.find(full)).deadlineAtMs).toBe(world.nowMs + LIMITS.syncRunMsMax);
  });

  it("takes its turn before the next tick, and does not keep the sweep from others while it waits", async () => {
    const { world, sync, run } = await newRun();
    await world.step(run);
    const full = await world.run(sync, { isFull: true });
    await env.DB.prepare("UPDATE syncs SET next_run_at = ? WHERE id = ?")
      .bind(world.now().toISOString(), sync.id)
      .run();
    world.nowMs += WORK_LIMITS.wakeUpLostMs + 1;
    await world.beat(world.onlyJob());
    world.messages = [];
    await world.tick();
    expect(world.messages.map(({ id }) => id)).not.toContain(full.id);
    await world.finish(world.onlyJob());
    await world.step(run);
    await world.step(full);
    await world.finish(world.onlyJob());
    await world.stepWhenDue(full);
    expect(await world.active(sync)).toMatchObject({ cause: "schedule", isFull: false });
  });
});
