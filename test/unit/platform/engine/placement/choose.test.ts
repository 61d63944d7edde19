// The choice of an engine, for whatever the engines have taken on.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { choose, type EngineView, type SlotUse } from "../../../../../src/platform/engine/placement/choose.ts";

const byClass = (of: fc.Arbitrary<number>) => fc.record({ short: of, long: of });
const view = fc.record({
  startMs: fc.oneof(fc.constant(0), fc.integer({ min: 500, max: 30_000 })),
  isStarting: fc.boolean(),
  load: byClass(fc.nat(8)),
  slots: byClass(fc.integer({ min: 1, max: 4 })),
  heldMs: byClass(fc.integer({ min: 1, max: 60_000 })),
  statements: fc.nat(70),
  statementsMax: fc.constant(64),
  jobs: fc.nat(3),
  keptShare: fc.constantFrom(0, 0, 1 / 3, 1),
});
const views: fc.Arbitrary<EngineView[]> = fc
  .array(view, { minLength: 1, maxLength: 5 })
  .map((engines) => engines.map((engine, ordinal) => ({ ...engine, ordinal })));
const use = fc.constantFrom<SlotUse>("short", "long", "none");

const isFull = ({ statements, statementsMax }: EngineView) => statements >= statementsMax;
const hasFreeSlot = (of: SlotUse, engine: EngineView) =>
  engine.startMs === 0 && !isFull(engine) && (of === "none" || engine.load[of] < engine.slots[of]);
const chosenOf = (engines: EngineView[], { ordinal }: { ordinal: number }) => engines[ordinal]!;

describe("choose", () => {
  it("never takes a statement to a full engine while one that runs has room, and prefers what keeps most of it", () => {
    fc.assert(
      fc.property(use, views, (of, engines) => {
        const free = engines.filter((engine) => hasFreeSlot(of, engine));
        fc.pre(free.length > 0);
        const choice = choose(of, engines);
        expect(free).toContain(chosenOf(engines, choice));
        expect(chosenOf(engines, choice).keptShare).toBe(Math.max(...free.map(({ keptShare }) => keptShare)));
        expect([choice.waits, choice.wakes]).toEqual([null, null]);
      }),
    );
  });

  it("says the place and the reason where a statement has to wait, and takes it to no full engine in vain", () => {
    fc.assert(
      fc.property(use, views, (of, engines) => {
        fc.pre(!engines.some((engine) => hasFreeSlot(of, engine)));
        const { waits, ...choice } = choose(of, engines);
        const chosen = chosenOf(engines, choice);
        expect(waits!.place).toBeGreaterThan(0);
        expect(waits!.place).toBeLessThanOrEqual(chosen.statements + chosen.load.short + chosen.load.long + 1);
        expect(waits!.reason === "full").toBe(engines.every(isFull));
        expect(waits!.reason === "start").toBe(chosen.startMs > 0 && !isFull(chosen));
      }),
    );
  });

  it("starts no engine but one that sleeps, and only where the statement will wait at another", () => {
    fc.assert(
      fc.property(use, views, (of, engines) => {
        const choice = choose(of, engines);
        if (choice.wakes === null) return;
        const woken = engines[choice.wakes]!;
        expect([woken.startMs > 0, woken.isStarting, choice.wakes === choice.ordinal]).toEqual([true, false, false]);
        expect(chosenOf(engines, choice).startMs).toBe(0);
      }),
    );
  });

  it("lets no engine sleep for a start that is shorter than the line", () => {
    const engine = { isStarting: false, slots: { short: 2, long: 2 }, heldMs: { short: 100, long: 5_000 } };
    const common = { ...engine, statements: 20, statementsMax: 64, jobs: 0, keptShare: 0 };
    const busy = (short: number, long: number) => ({ ...common, ordinal: 0, startMs: 0, load: { short, long } });
    const asleep = { ...common, statements: 0, ordinal: 1, startMs: 3_000, load: { short: 0, long: 0 } };
    expect(choose("short", [busy(3, 0), asleep])).toMatchObject({ ordinal: 0, wakes: null });
    expect(choose("short", [busy(20, 0), asleep])).toMatchObject({ ordinal: 0, wakes: 1 });
    expect(choose("long", [busy(0, 2), asleep])).toMatchObject({ ordinal: 0, wakes: 1, waits: { place: 1 } });
    expect(choose("long", [busy(0, 4), asleep])).toMatchObject({ ordinal: 1, waits: { place: 1, reason: "start" } });
  });
});
