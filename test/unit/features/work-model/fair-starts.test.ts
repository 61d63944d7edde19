// A burst of one team delays that team alone: on runs of syncs over the real database and catalog.

import { expect, it } from "vitest";
import { LIMITS } from "../../../../src/core/limits.ts";
import { selectDue } from "../../../../src/features/syncs/store.ts";
import { newWorld, type World } from "../../../support/unit/work-model/sync-world.ts";

const BURST = 3 * LIMITS.workStartsPerTeamMax;

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
  expect(woken.get(many.teamId)).toHaveLength(LIMITS.workStartsPerTeamMax);
  expect(woken.get(few.teamId)).toHaveLength(2);

  // Each run is woken once, by the tick or by the beginning of another.
  const begun: string[] = [];
  for (let next = many.messages.shift(); next && begun.length < BURST; next = many.messages.shift()) {
    if (next.teamId === many.teamId && (await many.step(next)) === "begin") begun.push(next.id);
  }
  expect(begun).toHaveLength(BURST);
});

it("claims the due syncs of all teams in turns", async () => {
  const [many, few] = [await newWorld(), await newWorld()];
  await Promise.all([...Array(LIMITS.syncRunsPerClaimMax + 5)].map(() => addDue(many, 1)));
  const [late] = await addDue(few, 1);
  const first = await selectDue(many.db, many.now().toISOString(), LIMITS.syncRunsPerClaimMax);
  expect(first.map(({ id }) => id)).toContain(late!.id);
});

it("wakes again those of a burst that were lost, a tick later", async () => {
  const world = await newWorld();
  await addDue(world, BURST);
  await world.tick();
  world.messages = [];
  world.nowMs += LIMITS.workWakeUpLostMs + 1_000;
  await world.tick();
  const own = world.messages.filter(({ teamId }) => teamId === world.teamId);
  expect(own).toHaveLength(LIMITS.workStartsPerTeamMax);
});
