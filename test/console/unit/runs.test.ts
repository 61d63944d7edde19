import { describe, expect, it } from "vitest";
import { nextTimes, scheduleWords } from "../../../src/console/screens/automations/schedule-words.ts";
import { datasetsOf } from "../../../src/console/screens/docs/datasets.ts";
import { layOutGraph } from "../../../src/console/ui/runs/graph-layout.ts";
import { joinLines, nextOffset } from "../../../src/console/ui/runs/log-lines.ts";

describe("a log that arrives in pages", () => {
  it("has each line once, wherever a page begins", () => {
    const known = joinLines([], [{ offset: 0 }, { offset: 1 }]);
    expect(joinLines(known, [{ offset: 1 }, { offset: 2 }])).toEqual([{ offset: 0 }, { offset: 1 }, { offset: 2 }]);
    expect(nextOffset(known)).toBe(2);
    expect(nextOffset([])).toBe(0);
  });
});

describe("the graph of a doc", () => {
  it("puts a dataset after all that it is made from", () => {
    const places = layOutGraph([
      { key: "c", needs: ["a", "b", "gone"] },
      { key: "a", needs: [] },
      { key: "b", needs: ["a"] },
    ]);
    expect(Object.fromEntries(places)).toEqual({
      a: { column: 0, row: 0 },
      b: { column: 1, row: 0 },
      c: { column: 2, row: 0 },
    });
  });

  it("ends where it goes in a circle", () =>
    expect(
      layOutGraph([
        { key: "a", needs: ["b"] },
        { key: "b", needs: ["a"] },
      ]).size,
    ).toBe(2));

  it("is read from the definition", () =>
    expect(
      datasetsOf({
        datasets: { a: { engine: "python", inputs: [{ ref: "b", as: "x" }], dependsOn: ["b"] }, b: { engine: "sql" } },
      }),
    ).toEqual([
      { key: "a", engine: "python", needs: ["b"], table: undefined },
      { key: "b", engine: "sql", needs: [], table: undefined },
    ]));
});

describe("a schedule in words", () => {
  it.each([
    ["30 6 * * 1-5", "Monday to Friday at 06:30, UTC"],
    ["5 0 * * *", "every day at 00:05, UTC"],
    ["*/15 * * * *", "every 15 minutes"],
    ["0 9 1 * *", "on day 1 of each month at 09:00, UTC"],
    ["0 9 1 1,7 *", "0 9 1 1,7 *, UTC"],
  ])("%s", (cron, words) => expect(scheduleWords({ cron, timezone: "UTC" })).toBe(words));

  it("tells the next times, or why there are none", () => {
    expect(nextTimes({ cron: "0 * * * *", timezone: "UTC" }, 3)).toHaveLength(3);
    expect(nextTimes({ cron: "nonsense", timezone: "UTC" }, 3)).toBeTypeOf("string");
  });
});
