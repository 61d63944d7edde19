// What the tests of a sync's faults share: a world of their own, the fault, and what must have become of the run after
// it.

import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { ProxiedRequest, Fate, Rule } from "../../support/node/servers/intercepting-proxy.ts";
import { openSyncWorld, type Kind, type SyncWorld } from "./world.ts";

/** Between two reads of a napping row. */
const NAP_SECONDS = 0.1;
export const TEST_MS = 300_000;

/** The file's world, once its tests run. Its proxy lets everything pass when one begins. */
export function useSyncWorld(kinds?: readonly Kind[]): () => SyncWorld {
  let world: SyncWorld | undefined;
  beforeAll(async () => {
    world = await openSyncWorld(kinds);
  }, 420_000);
  afterAll(() => world?.close());
  afterEach(() => world?.proxy.clear());
  return () => world!;
}

/** The fate of the first request of this kind, and what happens then; all others pass. */
export function once(
  is: (asked: ProxiedRequest) => boolean,
  fate: Fate | (() => Fate | Promise<Fate>),
): { rule: Rule; met: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isMet = false;
  const rule: Rule = (asked) => {
    if (isMet || !is(asked)) return "pass";
    isMet = true;
    resolve();
    return typeof fate === "function" ? fate() : fate;
  };
  return { rule, met: promise };
}

/** The run succeeds by the attempt, equals the source, and leaves a sync that runs as ever. */
export async function expectRecovered(world: SyncWorld, kind: Kind, runId: string, attempt: number): Promise<void> {
  const run = await world.ended(kind, runId);
  expect(run, JSON.stringify([run, await world.lines(kind, runId)])).toMatchObject({
    status: "SUCCESS",
    details: { state: "succeeded", attempt },
  });
  await world.expectEqual(kind);
  const lines = await world.lines(kind, runId);
  for (let failed = 1; failed < attempt; failed++)
    expect(lines.join("\n")).toContain(`Attempt ${failed} has failed; the next one starts in`);

  await world.change(kind);
  const next = await world.ended(kind, await world.run(kind));
  expect(next, JSON.stringify(next)).toMatchObject({ status: "SUCCESS", details: { attempt: 1 } });
  await world.expectEqual(kind);
}

/** Starts a run that reads for long, and waits until it does. */
export async function startReading(world: SyncWorld, kind: Kind): Promise<string> {
  await world.change(kind);
  await world.knob(kind, NAP_SECONDS);
  const runId = await world.run(kind, { full: true });
  await world.isReading(kind);
  return runId;
}

/** A run whose first request of this kind meets this fate, and which succeeds by the attempt. */
export async function meet(
  world: SyncWorld,
  kind: Kind,
  { is, fate, attempt }: { is: (asked: ProxiedRequest) => boolean; fate: () => Fate | Promise<Fate>; attempt: number },
): Promise<void> {
  await world.change(kind);
  const { rule, met } = once(is, fate);
  world.proxy.rule(rule);
  const runId = await world.run(kind);
  await met;
  await expectRecovered(world, kind, runId, attempt);
}
