// Why runs wait, and for how many others, as the API shows it.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { WORK_LIMITS } from "../../../../src/features/work-model/limits.ts";
import { SYNC_LINE } from "../../../../src/features/syncs/runs/store.ts";
import { listWaiting } from "../../../../src/features/work-model/waiting/list-waiting.ts";
import { waitingOf } from "../../../../src/features/work-model/waiting/waiting.ts";
import { noRoom } from "../../../support/unit/work-model/engine-world.ts";
import { newWorld } from "../../../support/unit/work-model/sync-world.ts";
import { newWorld as newAutomations } from "../../../support/unit/automations.ts";

const look = async (world: Awaited<ReturnType<typeof newWorld>>, { id }: { id: string }) => {
  const run = await world.find({ id });
  return (await listWaiting(world.deps, SYNC_LINE.wakeUp, { runs: [run], now: world.now() }))(run);
};

describe("a run that waits", () => {
  it("says for which other run of its sync, and at which place", async () => {
    const world = await newWorld();
    const sync = await world.addSync();
    const first = await world.run(sync);
    expect(await look(world, first)).toMatchObject({ place: 1, waitingFor: { code: "start", runId: null } });
    await world.step(first);
    const [second, third] = [await world.run(sync, { isFull: true }), await world.run(sync, { onlyTables: ["a.b"] })];
    expect(await look(world, first)).toEqual({ place: null, waitingFor: null });
    expect(await look(world, second)).toMatchObject({ place: 1, waitingFor: { code: "other_run", runId: first.id } });
    if (third.id !== second.id)
      expect(await look(world, third)).toMatchObject({ place: 2, waitingFor: { code: "other_run" } });
  });

  it("says how many of its team start first", async () => {
    const world = await newWorld();
    const runs = [];
    for (let made = 0; made < WORK_LIMITS.startsPerTeamMax + 2; made++)
      runs.push(await world.run(await world.addSync()));
    expect(await look(world, runs.at(-1)!)).toMatchObject({ place: 2, waitingFor: { code: "team_starts" } });
    expect(await look(world, runs.at(-2)!)).toMatchObject({ place: 1, waitingFor: { code: "team_starts" } });
  });

  it("says that there is no room for it, and when it is tried again", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    world.onStart = noRoom;
    await world.step(run);
    const until = new Date((await world.find(run)).dueAtMs).toISOString();
    expect(await look(world, run)).toMatchObject({ place: null, waitingFor: { code: "no_capacity", until } });
  });

  it("says that what worked on it has died", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    await world.step(run);
    const state = await world.find(run);
    expect(waitingOf(state, undefined, state.dueAtMs)).toEqual({ place: null, waitingFor: null });
    const later = state.dueAtMs + WORK_LIMITS.wakeUpLostMs + 1;
    expect(waitingOf(state, undefined, later)).toMatchObject({ waitingFor: { code: "platform_away" } });
  });

  it("says that the platform was away where nobody has woken it, or looked at it since", async () => {
    const world = await newWorld();
    const away = { place: null, waitingFor: { code: "platform_away", until: null } };
    const lone = await world.run(await world.addSync());
    const setWoken = (at: string | null) =>
      env.DB.prepare("update sync_runs set woken_at = ? where id = ?").bind(at, lone.id).run();
    await setWoken(null);
    expect(await look(world, lone), "it starts as soon as it is woken").toMatchObject({
      place: 1,
      waitingFor: { code: "start" },
    });
    world.nowMs += WORK_LIMITS.wakeUpLostMs + 1_000;
    expect(await look(world, lone), "nobody woke it").toMatchObject(away);
    await setWoken(world.now().toISOString());
    expect(await look(world, lone), "it was woken just now").toMatchObject({ waitingFor: { code: "start" } });
    world.nowMs += WORK_LIMITS.wakeUpLostMs + 1_000;
    expect(await look(world, lone), "its message was lost").toMatchObject(away);
  });

  it("says that the platform was away where its next try is overdue", async () => {
    const world = await newWorld();
    const run = await world.run(await world.addSync());
    world.onStart = noRoom;
    await world.step(run);
    world.nowMs = (await world.find(run)).dueAtMs + WORK_LIMITS.wakeUpLostMs + 1_000;
    expect(await look(world, run)).toMatchObject({ waitingFor: { code: "platform_away", until: null } });
  });

  it("says nothing of the platform where the run before it has just ended", async () => {
    const world = await newWorld();
    const sync = await world.addSync();
    const first = await world.run(sync);
    await world.step(first);
    const second = await world.run(sync, { isFull: true });
    world.nowMs += 10 * WORK_LIMITS.wakeUpLostMs;
    await env.DB.prepare("update sync_runs set state = 'succeeded', ended_at = ? where id = ?")
      .bind(world.now().toISOString(), first.id)
      .run();
    expect(await look(world, second)).toMatchObject({ place: 1, waitingFor: { code: "start" } });
  });

  it("is shown so among a job's runs", async () => {
    const world = await newAutomations();
    const jobId = await world.newJob({ overlap: "queue" });
    const { id: first } = (await world.process(jobId)).body.data;
    const { id: second } = (await world.process(jobId)).body.data;
    const waiting = { place: 1, waitingFor: { code: "other_run", runId: first } };
    expect(await world.runOf(jobId, second)).toMatchObject(waiting);
    const listed: { id: string }[] = await world.runsOf(jobId);
    expect(listed.find(({ id }) => id === second)).toMatchObject(waiting);
    expect(listed.find(({ id }) => id === first)).toMatchObject({ place: null, waitingFor: null });
  });
});
