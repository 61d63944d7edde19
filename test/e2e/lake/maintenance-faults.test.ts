// Deaths at each step of a maintenance: the next attempt ends it, and nothing is lost, doubled or stuck.

import { beforeAll, expect, it } from "vitest";
import { isCommit, isUpload, type Asked, type Fate } from "../../support/node/servers/intercepting-proxy.ts";
import { once, TEST_MS, useSyncWorld } from "../syncs/faults.ts";
import { isPlan, isStep, openMaintenance, openParts } from "./maintain.ts";

const world = useSyncWorld([]);
let maintenance: Awaited<ReturnType<typeof openMaintenance>>;
let parts: ReturnType<typeof openParts>;
beforeAll(async () => {
  maintenance = await openMaintenance(world());
  parts = openParts(world());
  await parts.create();
});

type Death = [is: (asked: Asked) => boolean, fate: () => Fate | Promise<Fate>];
const killEngine = async (): Promise<Fate> => {
  await world().signalEngine("SIGKILL");
  return "hang";
};
const killAfterwards = (): Fate => ({ afterwards: () => world().signalEngine("SIGKILL") });

it.each<[string, Death[]]>([
  [
    "its engine's death before its plan, while it uploads, and before a commit",
    [
      [isPlan, killEngine],
      [isUpload, killEngine],
      [isCommit, killEngine],
    ],
  ],
  [
    "its engine's death after a commit, an expiry and a deletion that it has not heard of",
    [
      [isCommit, killAfterwards],
      [isStep("expire"), killAfterwards],
      [isStep("delete"), killAfterwards],
    ],
  ],
  [
    "its engine's death while orphans are collected, and after statistics that it has not heard of",
    [
      [isStep("collect"), killEngine],
      [isStep("statistics"), killAfterwards],
    ],
  ],
])("recovers from %s", { timeout: TEST_MS }, async (_, deaths) => {
  await parts.grow();
  const first = once(...deaths[0]!);
  world().proxy.rule(first.rule);
  const id = await maintenance.start();
  await first.met;
  for (const death of deaths.slice(1)) {
    const next = once(...death);
    world().proxy.rule(next.rule);
    await next.met;
  }
  const ended = await maintenance.ended(id);
  expect(ended, JSON.stringify(ended)).toMatchObject({ state: "succeeded", attempt: deaths.length + 1 });
  expect(await maintenance.attempts(id)).toEqual([...deaths.map(() => "failed"), "succeeded"]);
  expect(await parts.sum()).toEqual(parts.expected());
});

it.each<[string, (asked: Asked) => boolean, () => Fate]>([
  ["an upload that breaks off", isUpload, () => "cut"],
  ["a commit whose answer is lost", isCommit, () => ({ afterwards: () => undefined })],
])("goes on by itself after %s", { timeout: TEST_MS }, async (_, is, fate) => {
  await parts.grow();
  const { rule, met } = once(is, fate);
  world().proxy.rule(rule);
  const id = await maintenance.start();
  await met;
  expect(await maintenance.ended(id)).toMatchObject({ state: "succeeded", attempt: 1 });
  expect(await parts.sum()).toEqual(parts.expected());
});

it("loses no attempt to the death of the runtime, which comes back by itself", { timeout: TEST_MS }, async () => {
  await parts.grow();
  const { rule, met } = once(isUpload, async (): Promise<Fate> => {
    await world().killRuntime();
    return "pass";
  });
  world().proxy.rule(rule);
  const id = await maintenance.start();
  await met;
  // The queue's messages died with it, and the sweep looks only for what has been overdue for a while.
  const tickAndLook = async () => {
    await world().tick();
    return (await maintenance.look(id)).state;
  };
  await expect.poll(tickAndLook, { timeout: 150_000, interval: 3_000 }).toBe("succeeded");
  expect(await parts.sum()).toEqual(parts.expected());
});
