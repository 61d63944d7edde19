// Statements of a simulated team, placed among simulated engines.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimulatedEngine } from "../../../../support/unit/placement/simulated-engines.ts";
import { SimulatedTeam, type Arrival, type Placing } from "../../../../support/unit/placement/simulated-team.ts";

const NO_FAULTS = { lostEnds: new Set<number>(), deaths: new Map<number, number>() };
const engine = (slots = 2, statementsMax = 64) => new SimulatedEngine({ slots, statementsMax, startTakesMs: 1_000 });

const arrival = (isLong: fc.Arbitrary<boolean>): fc.Arbitrary<Arrival> =>
  fc
    .record({ afterMs: fc.nat(200), text: fc.nat(12), isLong, serviceMs: fc.integer({ min: 5, max: 2_000 }) })
    .map(({ text, ...rest }) => ({ ...rest, text: `text ${text}`, table: `table ${text % 4}` }));
const arrivals = (isLong: fc.Arbitrary<boolean>) => fc.array(arrival(isLong), { minLength: 1, maxLength: 150 });
const engines = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 });

describe("the statements of a team", () => {
  it("keep to an engine that has what they read, unless it is busy; a busy one gets none while another has room", () => {
    const check = ({ sent, placed, engines: all, had }: Placing) => {
      const free = all.flatMap((each, ordinal) => (each.hasFreeSlot(sent.statementClass) ? [ordinal] : []));
      if (free.length === 0) return;
      expect(free).toContain(placed.ordinal);
      const warm = free.filter((ordinal) => had.has(ordinal));
      if (warm.length > 0) expect(warm).toContain(placed.ordinal);
    };
    fc.assert(
      fc.property(engines, arrivals(fc.constant(false)), (slots, all) => {
        const team = new SimulatedTeam(
          slots.map((count) => engine(count)),
          NO_FAULTS,
          // What an engine says is a second old at most: here it is as if it were asked each time.
          (placing) => placing.engines.every(({ isUp }) => isUp) && check(placing),
        );
        for (const each of team.engines) each.start(-1_000);
        team.advance(0);
        for (const each of all) team.arrive(each);
      }),
    );
  });

  it("all come to an end, or are refused while each engine is full, whatever is lost on the way", () => {
    const faults = fc.record({
      lostEnds: fc.array(fc.nat(149)).map((lost) => new Set(lost)),
      deaths: fc.array(fc.tuple(fc.nat(149), fc.nat(3)), { maxLength: 5 }).map((deaths) => new Map(deaths)),
    });
    fc.assert(
      fc.property(engines, arrivals(fc.boolean()), faults, (slots, all, lost) => {
        const team = new SimulatedTeam(
          slots.map((count) => engine(count, 8)),
          lost,
          ({ placed: { waits } }) => {
            if (waits)
              expect([waits.place > 0, ["slots", "start", "full"]]).toEqual([
                true,
                expect.arrayContaining([waits.reason]),
              ]);
          },
        );
        const refusedBefore = () => team.refused;
        for (const each of all) {
          const before = refusedBefore();
          team.arrive(each);
          if (team.refused > before) expect(team.engines.every(({ isFull }) => isFull)).toBe(true);
        }
        team.settle();
        expect(team.ended + team.lost + team.refused).toBe(all.length);
        expect(team.ids.filter((id) => team.placement.whereIs(id) !== undefined)).toEqual([]);
        expect(team.engines.flatMap(({ statements }) => statements)).toEqual([]);
      }),
    );
  });

  it("starve no engine: two that are always asked do nearly twice what one does", () => {
    const served = (count: number, isMixed: boolean) => {
      const team = new SimulatedTeam(
        Array.from({ length: count }, () => engine()),
        NO_FAULTS,
        () => undefined,
      );
      // Sixteen clients that each ask again as soon as they are answered, for a minute.
      let asked = 0;
      for (const untilMs = 60_000; team.nowMs < untilMs; ) {
        for (let open = asked - team.ended - team.refused; open < 16; open++) {
          const isLong = isMixed && asked % 5 === 0;
          team.arrive({
            afterMs: 0,
            text: `text ${asked % 7}`,
            table: "table",
            isLong,
            serviceMs: isLong ? 1_500 : 60 + ((asked * 37) % 80),
          });
          asked++;
        }
        team.advance(Math.min(...team.engines.map((each) => each.nextEventAtMs())));
      }
      return team.engines.map(({ servedMs }) => servedMs);
    };
    for (const isMixed of [false, true]) {
      const [one, two] = [served(1, isMixed), served(2, isMixed)];
      const sum = (all: number[]) => all.reduce((total, each) => total + each, 0);
      expect(sum(two) / sum(one)).toBeGreaterThan(1.8);
      expect(Math.min(...two) / Math.max(...two)).toBeGreaterThan(0.8);
    }
  });

  it("leave the second engine asleep as long as the first has room", () => {
    const team = new SimulatedTeam([engine(), engine()], NO_FAULTS, () => undefined);
    for (let i = 0; i < 200; i++)
      team.arrive({ afterMs: 100, text: `text ${i}`, table: "table", isLong: false, serviceMs: 90 });
    expect(team.engines.map(({ isUp }) => isUp)).toEqual([true, false]);
  });
});
