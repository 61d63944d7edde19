// A burst of one team delays that team alone: on runs of syncs over the real database and catalog.

import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { WORK_LIMITS } from "../../../../src/features/work-model/limits.ts";
import { SYNC_LIMITS } from "../../../../src/features/syncs/limits.ts";
import { selectDue } from "../../../../src/features/syncs/store.ts";
import { syncRuns } from "../../../../src/platform/db/schema/schema.ts";
import { newWorld, type World } from "../../../support/unit/work-model/sync-world.ts";

const BURST = 3 * WORK_LIMITS.startsPerTeamMax;

const addDue = (world: World, count: number) =>
  Promise.all(
    Array.from({ length: count }, () => world.addSync({ nextRunAt: new Date(world.nowMs - 60_000).toISOString() })),
  );

it("wakes a few runs of each team that has many due, and the others as those have begun", async () => {
  const [many, few] = [await newWorld(), await newWorld()];
  await addDue(many, BURST);
  await addDue(few, 2);
  await many.tick();
  const woken = Map.groupBy(many.messages, ({ teamId }) => teamId);
  expect(woken.get(many.teamId)).toHaveLength(WORK_LIMITS.startsPerTeamMax);
  expect(woken.get(few.teamId)).toHaveLength(2);

  // Each run is woken once, by the tick or by the beginning of another.
  const begun: string[] = [];
  for (let next = many.messages.shift(); next && begun.length < BURST; next = many.messages.shift()) {
    if (next.teamId === many.teamId && (await many.step(next)) === "begin") begun.push(next.id);
  }
  expect(begun).toHaveLength(BURST);
});

it("claims the due syncs of all teams in turns, and so many of one team at a tick", async () => {
  const [many, few] = [await newWorld(), await newWorld()];
  const [rest, perTeamMax] = [5, SYNC_LIMITS.runsPerTickOfTeamMax];
  await addDue(many, perTeamMax + rest);
  await addDue(few, 2);
  const claims = { rowsMax: perTeamMax, perTeamMax };
  const first = await selectDue(many.db, many.now().toISOString(), claims);
  expect(first.filter(({ teamId }) => teamId === few.teamId)).toHaveLength(2);

  const runsOf = ({ db, teamId }: World) => db.$count(syncRuns, eq(syncRuns.teamId, teamId));
  await many.tick();
  expect([await runsOf(many), await runsOf(few)]).toEqual([perTeamMax, 2]);
  await many.tick();
  expect(await runsOf(many), "the others come with the next tick").toBe(perTeamMax + rest);
});

it("looks at many runs of one team more rarely than at a lone one, so that their messages leave room", async () => {
  const [many, few] = [await newWorld(), await newWorld()];
  const secondsOf = ({ world, id }: { world: World; id: string }) =>
    (world.messages.find((message) => message.id === id)!.atMs - world.nowMs) / 1_000;
  const begin = async (world: World) => {
    const run = await world.run(await world.addSync());
    world.messages = [];
    await world.step(run);
    return { world, id: run.id };
  };
  for (let begun = 1; begun < BURST; begun++) await begin(many);
  expect(secondsOf(await begin(many))).toBe(Math.ceil((BURST * WORK_LIMITS.teamLookMs) / 1_000));
  expect(secondsOf(await begin(few))).toBe(WORK_LIMITS.pollMsMin / 1_000);
});

it("wakes again those of a burst that were lost, a tick later", async () => {
  const world = await newWorld();
  await addDue(world, BURST);
  await world.tick();
  world.messages = [];
  world.nowMs += WORK_LIMITS.wakeUpLostMs + 1_000;
  await world.tick();
  const own = world.messages.filter(({ teamId }) => teamId === world.teamId);
  expect(own).toHaveLength(WORK_LIMITS.startsPerTeamMax);
});
