// When a delivery is due: as its condition begins to hold, and not while it goes on to.

import { describe, expect, it } from "vitest";
import {
  describeCondition,
  judge,
  untold,
  type ConditionState,
  type DeliveryCondition,
} from "../../../../src/features/deliveries/condition.ts";

const seeing = (rowCount: number, values: Record<string, number> = {}) => ({
  rowCount,
  first: (column: string) => values[column],
});

/** Which of these runs, one after the other, send something. */
function dueAmong(condition: DeliveryCondition, runs: ReturnType<typeof seeing>[]): boolean[] {
  let state: ConditionState | null = null;
  return runs.map((seen) => {
    const judged = judge(condition, state, seen);
    state = judged.state;
    return judged.isDue;
  });
}

describe("a delivery", () => {
  it("is due with every run where it has no condition", () => {
    expect(judge(null, null, seeing(0))).toEqual({ isDue: true, state: null });
  });

  it("is due as rows appear, and again only after there were none", () => {
    const runs = [seeing(0), seeing(2), seeing(5), seeing(0), seeing(1)];
    expect(dueAmong({ kind: "rows" }, runs)).toEqual([false, true, false, false, true]);
  });

  it("is due as the last row goes", () => {
    expect(dueAmong({ kind: "no_rows" }, [seeing(1), seeing(0), seeing(0)])).toEqual([false, true, false]);
  });

  it.each([
    [">", [false, false, true]],
    [">=", [false, true, false]],
    ["<", [true, false, false]],
    ["<=", [true, false, false]],
    ["=", [false, true, false]],
    ["!=", [true, false, true]],
  ] as const)("is due as a value is %s its bound", (operator, expected) => {
    const condition: DeliveryCondition = { kind: "value", column: "n", operator, value: 10 };
    expect(
      dueAmong(
        condition,
        [9, 10, 11].map((n) => seeing(1, { n })),
      ),
    ).toEqual(expected);
  });

  it("is not due by a value that is missing, and was well then", () => {
    const condition: DeliveryCondition = { kind: "value", column: "n", operator: "!=", value: 0 };
    expect(dueAmong(condition, [seeing(0), seeing(1, { n: 1 }), seeing(1), seeing(1, { n: 1 })])).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it("is due by a change from the run before, which the first run can't see", () => {
    const condition: DeliveryCondition = { kind: "change", column: "n", more_than: 5, unit: "absolute" };
    const runs = [100, 105, 111, 111, 100].map((n) => seeing(1, { n }));
    expect(dueAmong(condition, runs)).toEqual([false, false, true, false, true]);
  });

  it("takes every change from zero for more than any share of it", () => {
    const condition: DeliveryCondition = { kind: "change", column: "n", more_than: 50, unit: "percent" };
    expect(
      dueAmong(
        condition,
        [0, 1, 1.5, -2].map((n) => seeing(1, { n })),
      ),
    ).toEqual([false, true, false, true]);
  });

  it("says in words what it has seen", () => {
    const words = describeCondition(
      { kind: "change", column: "n", more_than: 50, unit: "percent" },
      { holds: true, value: 3 },
    );
    expect(words).toBe("n is 3 now, a change of more than 50 %.");
  });

  it("is due again by a change of which nobody was told, and not while somebody may yet be", () => {
    const condition: DeliveryCondition = { kind: "change", column: "n", more_than: 5, unit: "absolute" };
    const before = judge(condition, { holds: false, value: 100 }, seeing(1, { n: 50 })).state!;
    const open = judge(condition, untold(before, { isLost: false }), seeing(1, { n: 50 }));
    expect(open).toMatchObject({ isDue: false, state: { holds: true, value: 50 } });
    const lost = untold(open.state!, { isLost: true });
    expect(judge(condition, lost, seeing(1, { n: 50 })).isDue).toBe(true);
    // It is as it was known to be, and nobody need be told.
    expect(judge(condition, lost, seeing(1, { n: 100 })).isDue).toBe(false);
  });
});
