import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { SYNC_LIMITS } from "../../../../../src/features/syncs/limits.ts";
import { WORK_LIMITS } from "../../../../../src/features/work-model/limits.ts";
import { intervalMs } from "../../../../../src/core/schedule/schedule.ts";
import { startDueSyncs } from "../../../../../src/features/syncs/runs/start-due.ts";
import { newWriter } from "../../../../support/unit/lake.ts";
import { newWorld, type World } from "../../../../support/unit/work-model/sync-world.ts";

/** Ticks look at every team, and these worlds share one database: nothing of the others may be due. */
beforeEach(async () => void (await env.DB.prepare("UPDATE syncs SET next_run_at = NULL").run()));

const due = (world: World, rest: { lateMs?: number } = {}) =>
  world.addSync({ nextRunAt: new Date(world.nowMs - (rest.lateMs ?? 0)).toISOString() });
const runsOf = async (world: World): Promise<{ sync_id: string; scheduled_for: string; id: string }[]> =>
  (
    await env.DB.prepare("SELECT id, sync_id, scheduled_for FROM sync_runs WHERE team_id = ?")
      .bind(world.teamId)
      .all<{ sync_id: string; scheduled_for: string; id: string }>()
  ).results;
const nextOf = async ({ id }: { id: string }) =>
  (await env.DB.prepare("SELECT next_run_at FROM syncs WHERE id = ?").bind(id).first<string>("next_run_at"))!;
const endRuns = () =>
  env.DB.prepare("UPDATE sync_runs SET state = 'succeeded', ended_at = updated_at WHERE ended_at IS NULL").run();

describe("startDueSyncs", () => {
  it("runs three hundred due syncs exactly once each, though two ticks come at once each time", async () => {
    const world = await newWorld();
    const all = await Promise.all(Array.from({ length: 300 }, () => due(world)));
    for (let ticks = 0; ticks < 300 / SYNC_LIMITS.runsPerTickOfTeamMax; ticks++) {
      const [one, two] = await Promise.all([
        startDueSyncs(world.deps, world.now()),
        startDueSyncs(world.deps, world.now()),
      ]);
      expect(one.syncRunsStarted + two.syncRunsStarted).toBe(SYNC_LIMITS.runsPerTickOfTeamMax);
    }
    const runs = await runsOf(world);
    expect(new Set(runs.map((run) => run.sync_id))).toEqual(new Set(all.map(({ id }) => id)));
    expect(runs).toHaveLength(300);
    expect(world.messages).toHaveLength(WORK_LIMITS.startsPerTeamMax);

    // Every message comes twice, side by side.
    world.onStart = () => undefined;
    for (let first = 0; first < runs.length; first += 25) {
      await Promise.all(runs.slice(first, first + 25).flatMap((run) => [world.step(run), world.step(run)]));
    }
    expect(world.started).toHaveLength(300);
    expect(new Set(world.started.map(({ work }) => work.kind === "sync" && work.syncId)).size).toBe(300);
  });

  it("runs what was missed once, and goes on at the sync's own minute", async () => {
    const world = await newWorld();
    const sync = await due(world, { lateMs: 10 * intervalMs("hourly") });
    await startDueSyncs(world.deps, world.now());
    await endRuns();
    expect(await startDueSyncs(world.deps, world.now())).toEqual({ syncRunsStarted: 0 });
    expect(await runsOf(world)).toEqual([expect.objectContaining({ scheduled_for: sync.nextRunAt })]);
    const next = Date.parse(await nextOf(sync));
    expect(next).toBeGreaterThan(world.nowMs);
    expect(next).toBeLessThanOrEqual(world.nowMs + intervalMs("hourly"));
  });

  it("starts no second run while one is under way, and one as soon as that has ended", async () => {
    const world = await newWorld();
    const sync = await world.addSync();
    const run = await world.run(sync);
    await world.step(run);
    await env.DB.prepare("UPDATE syncs SET next_run_at = ? WHERE id = ?")
      .bind(world.now().toISOString(), sync.id)
      .run();
    expect(await startDueSyncs(world.deps, world.now())).toEqual({ syncRunsStarted: 0 });
    expect(await nextOf(sync)).toBe(world.now().toISOString());
    await world.finish(world.onlyJob());
    await world.stepWhenDue(run);
    expect(await world.active(sync)).toMatchObject({ cause: "schedule", state: "queued" });
    expect(world.messages.at(-1)?.id).toBe((await world.active(sync))!.id);
  });

  it("is not kept from the others by a sync that runs long", async () => {
    const world = await newWorld();
    for (let index = 0; index < SYNC_LIMITS.runsPerClaimMax + 5; index++) {
      const sync = await due(world, { lateMs: 60_000 });
      if (index < SYNC_LIMITS.runsPerClaimMax) await world.run(sync);
    }
    expect(await startDueSyncs(world.deps, world.now())).toEqual({ syncRunsStarted: 5 });
  });

  it("leaves paused syncs and those on their way out alone", async () => {
    const world = await newWorld();
    for (const status of ["paused", "removing"] as const)
      await world.addSync({ status, nextRunAt: world.now().toISOString() });
    expect(await startDueSyncs(world.deps, world.now())).toEqual({ syncRunsStarted: 0 });
  });
});

describe("sweepSyncRuns", () => {
  it("forgets runs of long ago, and no others", async () => {
    const world = await newWorld();
    const [old, recent, active] = [
      await world.run(await world.addSync()),
      await world.run(await world.addSync()),
      await world.run(await world.addSync()),
    ];
    const end = (id: string, ageMs: number) =>
      env.DB.prepare("UPDATE sync_runs SET state = 'failed', ended_at = ? WHERE id = ?")
        .bind(new Date(world.nowMs - ageMs).toISOString(), id)
        .run();
    await end(old.id, WORK_LIMITS.keptMs + 1);
    await end(recent.id, WORK_LIMITS.keptMs - 60_000);
    await world.tick();
    expect((await runsOf(world)).map(({ id }) => id).sort()).toEqual([recent.id, active.id].sort());
  });

  it("frees the tables of a sync on its way out once its run has ended, and forgets it with its marks", async () => {
    const world = await newWorld();
    const sync = await world.addSync();
    await world.catalog.claimTables({ owner: `sync:${sync.id}`, name: "it" }, [
      { schema: sync.destSchema, name: "orders" },
    ]);
    const [mark, other] = [`sync/${sync.id}/public.orders`, "sync/another/public.orders"];
    const writer = await newWriter({ ...world, catalog: world.catalog });
    await writer.commit([], { state: [mark, other].map((key) => ({ key, value: "1" })) });
    const run = await world.run(sync);
    await env.DB.prepare("UPDATE syncs SET status = 'removing', next_run_at = NULL WHERE id = ?").bind(sync.id).run();
    await world.tick();
    expect(await world.catalog.ownerOf(sync.destSchema, "orders")).toBeDefined();
    await env.DB.prepare("UPDATE sync_runs SET state = 'cancelled', ended_at = updated_at WHERE id = ?")
      .bind(run.id)
      .run();
    await world.tick();
    expect((await world.catalog.ownerOf(sync.destSchema, "orders")) ?? undefined).toBeUndefined();
    expect(await world.catalog.notesOf([mark, other])).toEqual({ [mark]: null, [other]: "1" });
    expect(await env.DB.prepare("SELECT 1 FROM syncs WHERE id = ?").bind(sync.id).first()).toBeNull();
  });
});

it("frees what a configuration that died in the middle had claimed", async () => {
  const world = await newWorld();
  const young = await world.addSync({ status: "planned", nextRunAt: null });
  const stale = await world.addSync({
    status: "planned",
    nextRunAt: null,
    updatedAt: new Date(world.nowMs - SYNC_LIMITS.plannedMsMax - 1).toISOString(),
  });
  for (const { id, destSchema } of [young, stale])
    await world.catalog.claimTables({ owner: `sync:${id}`, name: "it" }, [{ schema: destSchema, name: "orders" }]);
  await world.tick();
  expect([
    (await world.catalog.ownerOf(young.destSchema, "orders"))?.owner,
    (await world.catalog.ownerOf(stale.destSchema, "orders"))?.owner,
  ]).toEqual([`sync:${young.id}`, undefined]);
});

it("keeps two runs of a sync apart whoever asks for them", async () => {
  const world = await newWorld();
  const sync = await world.addSync();
  const runs = await Promise.all(Array.from({ length: 5 }, () => world.run(sync)));
  expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
});
