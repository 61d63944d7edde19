// When a delivery is due: as its condition begins to hold, and not while it goes on to.

import { describe, expect, it } from "vitest";
import {
  describeCondition,
  judge,
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
});
