// Maintenance beside what else works on a lake: syncs and queries notice nothing of it.

import { beforeAll, expect, it } from "vitest";
import type { Fate } from "../../support/node/servers/intercepting-proxy.ts";
import { once, TEST_MS, useSyncWorld } from "../syncs/faults.ts";
import { isMerged, isPlan, isRead, openMaintenance, openParts, type Maintenance } from "./maintain.ts";

const SYNCS = 6;
const MERGED = "rows written since the last run";
/** Between two writes: without it a sync has the more to read the longer it takes, and takes the longer for it. */
const WRITE_EVERY_MS = 100;
/** Statements that a merge finds and the next round undoes. */
const WRITES = `
  UPDATE orders SET total = total + 0.25, note = 'w' || (total::int % 7) WHERE id % 97 = (extract(epoch FROM clock_timestamp())::int % 97);
  DELETE FROM orders WHERE id BETWEEN 2000000 AND 2000100;
  INSERT INTO orders SELECT 2000000 + i, 'writer', i, NULL FROM generate_series(1, 50) AS i;
  UPDATE lines SET sku = sku || '.' WHERE order_id % 211 = (extract(epoch FROM clock_timestamp())::int % 211)`;

const world = useSyncWorld(["postgres"]);
let maintenance: Awaited<ReturnType<typeof openMaintenance>>;
beforeAll(async () => void (maintenance = await openMaintenance(world())));

it("costs no sync an attempt, on the very tables that it writes anew all the time", { timeout: TEST_MS }, async () => {
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      await world().ask("postgres", WRITES);
      await new Promise((resolve) => setTimeout(resolve, WRITE_EVERY_MS));
    }
  })();
  const ended: Maintenance[] = [];
  const maintaining = (async () => {
    while (!isOver) ended.push(await maintenance.ended(await maintenance.start()));
  })();
  try {
    for (let round = 0; round < SYNCS; round++) {
      // A table whose sync is at work is left alone: this one comes when its tables' files have been planned.
      const { rule, met } = once(isPlan, "pass");
      world().proxy.rule(rule);
      await met;
      const run = await world().ended("postgres", await world().run("postgres"));
      expect(run, JSON.stringify(run)).toMatchObject({ status: "SUCCESS", details: { attempt: 1 } });
      expect(run.tables.map(({ method }) => method)).toEqual(expect.arrayContaining([MERGED, MERGED]));
    }
  } finally {
    isOver = true;
    await Promise.all([writing, maintaining]);
  }
  const last = await world().ended("postgres", await world().run("postgres"));
  expect(last, JSON.stringify(last)).toMatchObject({ status: "SUCCESS", details: { attempt: 1 } });
  await world().expectEqual("postgres");
  ended.push(await maintenance.ended(await maintenance.start()));
  await world().expectEqual("postgres");
  for (const each of ended)
    expect(each, JSON.stringify(each)).toMatchObject({ state: "succeeded", attempt: 1, error: null });
  const written = ended.flatMap(({ progress }) => progress?.tables ?? []);
  for (const table of ["orders", "lines"]) expect(written.some(isMerged(table)), JSON.stringify(written)).toBe(true);
});

it("leaves a query its snapshot to the end", { timeout: TEST_MS }, async () => {
  const parts = openParts(world());
  await parts.create();
  await parts.grow();
  const before = parts.expected();
  const held = Promise.withResolvers<Fate>();
  const { rule, met } = once(isRead, () => held.promise);
  world().proxy.rule(rule);
  const answer = parts.sum();
  await met;
  // No statement that reads: it would wait for the same file.
  await parts.addFile();
  const ended = await maintenance.ended(await maintenance.start());
  expect(ended, JSON.stringify(ended)).toMatchObject({ state: "succeeded" });
  expect(ended.progress?.tables.some(isMerged("parts")), JSON.stringify(ended.progress)).toBe(true);
  held.resolve("pass");
  expect(await answer).toEqual(before);
  expect(await parts.sum()).toEqual(parts.expected());
});
