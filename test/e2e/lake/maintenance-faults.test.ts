// Deaths at each step of a maintenance: the next attempt ends it, and nothing is lost, doubled or stuck. Deaths at each
// request of a rewrite are test/containers/maintenance/faults.test.ts's.

import { beforeAll, expect, it } from "vitest";
import { isCommit, isUpload, type ProxiedRequest, type Fate } from "../../support/node/servers/intercepting-proxy.ts";
import { once, TEST_MS, useSyncWorld } from "../syncs/faults.ts";
import { isStep, openMaintenance, openParts } from "./maintain.ts";

const world = useSyncWorld([]);
let maintenance: Awaited<ReturnType<typeof openMaintenance>>;
let parts: ReturnType<typeof openParts>;
beforeAll(async () => {
  maintenance = await openMaintenance(world());
  parts = openParts(world());
  await parts.create();
});

type Death = [is: (asked: ProxiedRequest) => boolean, fate: () => Fate | Promise<Fate>];
const killEngine = async (): Promise<Fate> => {
  await world().signalEngine("SIGKILL");
  return "hang";
};
const killAfterwards = (): Fate => ({ afterwards: () => world().signalEngine("SIGKILL") });

it.each<[string, Death[]]>([
  [
    "its engine's death while it uploads, and after a commit and an expiry that it has not heard of",
    [
      [isUpload, killEngine],
      [isCommit, killAfterwards],
      [isStep("expire"), killAfterwards],
    ],
  ],
  [
    "its engine's death after a deletion, while orphans are collected, and after statistics that it has not heard of",
    [
      [isStep("delete"), killAfterwards],
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

it("goes on by itself after an upload that breaks off and a commit whose answer is lost", {
  timeout: TEST_MS,
}, async () => {
  await parts.grow();
  const cut = once(isUpload, () => "cut");
  world().proxy.rule(cut.rule);
  const id = await maintenance.start();
  await cut.met;
  const lost = once(isCommit, () => ({ afterwards: () => undefined }));
  world().proxy.rule(lost.rule);
  await lost.met;
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
