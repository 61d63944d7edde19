// Kills and cuts in the middle of a sync, over real processes and real databases: nothing is lost, doubled or stuck.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCommit, isUpload, type Asked, type Fate, type Rule } from "../support/node/way.ts";
import { openSyncWorld, type Kind, type SyncWorld } from "./sync-world.ts";

let world: SyncWorld;
beforeAll(async () => {
  world = await openSyncWorld();
}, 300_000);
afterAll(() => world?.close());
afterEach(() => world.way.clear());

const KINDS: Kind[] = ["postgres", "mysql"];
/** Between two reads of a napping row. */
const NAP_SECONDS = 0.1;
const testMs = 300_000;

/** The fate of the first request of this kind, and what happens then; all others pass. */
function once(is: (asked: Asked) => boolean, fate: Fate | (() => Fate | Promise<Fate>)): { rule: Rule; met: Promise<void> } {
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
async function expectRecovered(kind: Kind, runId: string, attempt: number): Promise<void> {
  const run = await world.ended(kind, runId, 200_000);
  expect(run, JSON.stringify([run, await world.lines(kind, runId)])).toMatchObject({ status: "SUCCESS", details: { state: "succeeded", attempt } });
  await world.expectEqual(kind);
  const lines = await world.lines(kind, runId);
  for (let failed = 1; failed < attempt; failed++) expect(lines.join("\n")).toContain(`Attempt ${failed} has failed; the next one starts in`);

  await world.change(kind);
  const next = await world.ended(kind, await world.run(kind));
  expect(next, JSON.stringify(next)).toMatchObject({ status: "SUCCESS", details: { attempt: 1 } });
  await world.expectEqual(kind);
}

/** Starts a run that reads for long, and waits until it does. */
async function startReading(kind: Kind): Promise<string> {
  await world.change(kind);
  await world.knob(kind, NAP_SECONDS);
  const runId = await world.run(kind, { full: true });
  await world.isReading(kind);
  return runId;
}

/** A run whose first request of this kind meets this fate. */
async function meet(kind: Kind, is: (asked: Asked) => boolean, fate: () => Fate | Promise<Fate>, attempt: number): Promise<void> {
  await world.change(kind);
  const { rule, met } = once(is, fate);
  world.way.rule(rule);
  const runId = await world.run(kind);
  await met;
  await expectRecovered(kind, runId, attempt);
}

describe.each(KINDS)("a sync of %s", (kind) => {
  it("recovers from its engine's death while it reads", { timeout: testMs }, async () => {
    const runId = await startReading(kind);
    await world.signalEngine("SIGKILL");
    await world.knob(kind, 0);
    await expectRecovered(kind, runId, 2);
  });

  it("recovers from the loss of its connections", { timeout: testMs }, async () => {
    const runId = await startReading(kind);
    await world.cutSource(kind);
    await world.knob(kind, 0);
    await expectRecovered(kind, runId, 2);
  });

  it("recovers from a crash of the database", { timeout: testMs }, async () => {
    const runId = await startReading(kind);
    await world.servers[kind].restart();
    await world.knob(kind, 0);
    await expectRecovered(kind, runId, 2);
  });
});

describe("a sync", () => {
  it.each<[string, Kind, (asked: Asked) => boolean, () => Fate | Promise<Fate>]>([
    ["while it uploads", "mysql", isUpload, () => world.signalEngine("SIGKILL").then(() => "hang")],
    ["before a commit", "postgres", isCommit, () => world.signalEngine("SIGKILL").then(() => "hang")],
    ["after a commit it has not heard of", "mysql", isCommit, () => ({ afterwards: () => world.signalEngine("SIGKILL") })],
  ])("recovers from its engine's death %s", { timeout: testMs }, (_, kind, is, fate) => meet(kind, is, fate, 2));

  it("goes on in another engine when its own is told to end", { timeout: testMs }, async () => {
    const runId = await startReading("postgres");
    await world.signalEngine("SIGTERM");
    await world.knob("postgres", 0);
    await expectRecovered("postgres", runId, 2);
  });

  it("recovers from the death of the whole platform", { timeout: testMs }, async () => {
    const runId = await startReading("postgres");
    await world.restartPlatform();
    await world.knob("postgres", 0);
    // The queue's messages died with it, and the sweep looks only for what has been overdue for a while.
    await expect.poll(async () => (await world.tick(), (await world.look("postgres", runId)).status), { timeout: 120_000, interval: 3_000 }).not.toBe("STARTED");
    await expectRecovered("postgres", runId, 2);
  });

  it.each<[string, (asked: Asked) => boolean, () => Fate]>([
    ["a commit whose answer is lost", isCommit, () => ({ afterwards: () => undefined })],
    ["an upload whose answer is lost", isUpload, () => ({ afterwards: () => undefined })],
    ["an upload that breaks off", isUpload, () => "cut"],
    ["an upload that hangs", isUpload, () => "hang"],
  ])("goes on by itself after %s", { timeout: testMs }, (_, is, fate) => meet("postgres", is, fate, 1));

  it("recovers from a storage that takes nothing for a while", { timeout: testMs }, async () => {
    await world.change("mysql");
    world.way.rule((asked) => (isUpload(asked) ? 503 : "pass"));
    const runId = await world.run("mysql");
    await expect.poll(async () => (await world.look("mysql", runId)).details.reason, { timeout: 60_000 }).toContain("The lake's storage could not be written");
    world.way.clear();
    const { details } = await world.ended("mysql", runId);
    await expectRecovered("mysql", runId, details.attempt);
    expect(details.attempt).toBeGreaterThan(1);
  });
});

describe("an engine that stands still", () => {
  it("commits nothing once another attempt may, however late it wakes", { timeout: testMs }, async () => {
    await world.change("postgres");
    const held = Promise.withResolvers<Fate>();
    const { rule, met } = once(isCommit, () => held.promise);
    world.way.rule(rule);
    const runId = await world.run("postgres");
    await met;
    await world.signalEngine("SIGSTOP");
    // Its lease runs out, and the run gives the attempt up.
    await expect.poll(async () => (await world.look("postgres", runId)).details.reason, { timeout: 120_000, interval: 500 }).not.toBeNull();
    await world.change("postgres");
    held.resolve("pass");
    await world.signalEngine("SIGCONT");
    await expectRecovered("postgres", runId, 2);
  });

  it("is killed and replaced when it never wakes", { timeout: testMs }, async () => {
    const runId = await startReading("mysql");
    await world.signalEngine("SIGSTOP");
    await world.knob("mysql", 0);
    const [stopped] = await world.engines();
    await expectRecovered("mysql", runId, 2);
    expect(await world.engines()).not.toContain(stopped);
  });
});
