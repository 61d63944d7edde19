import { describe, expect, it } from "vitest";
import { gradeTable, judgeLake, type Grade } from "../../../../src/features/lake-admin/health/verdict.ts";
import { emptyTally } from "../../../../src/features/lakes/objects/look-at-objects.ts";
import type { LakeFigures, TableFigures } from "../../../../kernel/lake/figures.ts";

const DAY = 86_400_000;
const now = new Date("2100-01-10T00:00:00Z");
const MB = 1024 * 1024;

const table = (rest: Partial<TableFigures> = {}): TableFigures => ({
  ...{
    tableId: 1,
    schema: "main",
    name: "t",
    targetBytes: 512e6,
    files: 100,
    bytes: 1e9,
    smallFiles: 0,
    smallBytes: 0,
  },
  ...{ deleteFiles: 0, deleteBytes: 0, rows: 1e6, deletedRows: 0, ...rest },
});

const figures = (worst: TableFigures[], rest: Partial<LakeFigures> = {}): LakeFigures => ({
  snapshotId: 9,
  tables: worst.length,
  total: table(),
  worst,
  snapshots: { count: 10, oldestId: 0, oldestAt: now.toISOString(), newestAt: now.toISOString() },
  bytes: { current: 1000 * MB, keptForSnapshots: 0 },
  scheduled: { files: 0, bytes: 0, dueFiles: 0, dueBytes: 0, oldestAt: null },
  ...rest,
});

const facts = { objects: null, lastMaintenance: null, now };
const findingsOf = (...[input]: Parameters<typeof judgeLake>) =>
  judgeLake(input).findings.map(({ code, grade }) => `${code} ${grade}`);

describe("a table", () => {
  it.each<[string, Partial<TableFigures>, Grade]>([
    ["with few small files", { files: 19, smallFiles: 19 }, "good"],
    ["with small files from the bound on", { files: 20, smallFiles: 20 }, "fair"],
    ["whose small files are the lesser part", { files: 100, smallFiles: 49 }, "good"],
    ["with hundreds of small files", { files: 500, smallFiles: 500 }, "poor"],
    ["of few rows, most of them deleted", { rows: 1_000, deletedRows: 999 }, "good"],
    ["with a fifth of its rows deleted", { rows: 10_000, deletedRows: 2_000 }, "fair"],
    ["with less", { rows: 10_000, deletedRows: 1_999 }, "good"],
    ["with half of its rows deleted", { rows: 10_000, deletedRows: 5_000 }, "poor"],
    ["without rows or files", { files: 0, rows: 0 }, "good"],
  ])("%s", (_, rest, grade) => {
    expect(gradeTable(table(rest))).toBe(grade);
  });
});

describe("a lake", () => {
  it("is good where nothing is found", () => {
    expect(judgeLake({ ...facts, figures: figures([table()]) })).toEqual({ grade: "good", findings: [] });
    expect(judgeLake({ ...facts, figures: figures([]) })).toEqual({ grade: "good", findings: [] });
  });

  it("is as bad as the worst that is found, and says what to do about each", () => {
    const worst = [table({ smallFiles: 600, files: 600 }), table({ name: "u", rows: 10_000, deletedRows: 3_000 })];
    const verdict = judgeLake({ ...facts, figures: figures(worst) });
    expect(verdict.grade).toBe("poor");
    expect(verdict.findings.map(({ code, grade }) => [code, grade])).toEqual([
      ["small_files", "poor"],
      ["deleted_rows", "fair"],
    ]);
    expect(verdict.findings[0]!.message).toContain("main.t has many small files");
    expect(verdict.findings[0]!.message).toContain("`daily` maintenance");
    expect(verdict.findings[1]!.message).toContain("main.u has many deleted rows");
    expect(verdict.findings[1]!.message).toContain("`rewrite_delete_threshold`");
  });

  it("names a few tables, and counts the others", () => {
    const worst = ["a", "b", "c", "d", "e"].map((name) => table({ name, smallFiles: 20, files: 20 }));
    const [finding] = judgeLake({ ...facts, figures: figures(worst) }).findings;
    expect(finding!.message).toContain("main.a, main.b, main.c and 2 more tables have many small files");
  });

  it.each([
    [1_999, []],
    [2_000, ["many_snapshots fair"]],
    [20_000, ["many_snapshots poor"]],
  ])("of %s snapshots", (count, found) => {
    const { snapshots } = figures([]);
    expect(findingsOf({ ...facts, figures: figures([], { snapshots: { ...snapshots, count } }) })).toEqual(found);
  });

  it("whose files are due is well while the collection comes round", () => {
    const scheduled = { files: 5, bytes: 5, dueFiles: 5, dueBytes: 5, oldestAt: null };
    const seen = (days: number) => ({ tally: emptyTally(), at: new Date(now.getTime() - days * DAY).toISOString() });
    expect(findingsOf({ ...facts, figures: figures([], { scheduled }), objects: seen(2) })).toEqual([]);
    expect(findingsOf({ ...facts, figures: figures([], { scheduled }), objects: null })).toEqual([]);
    expect(findingsOf({ ...facts, figures: figures([], { scheduled }), objects: seen(4) })).toEqual([
      "overdue_deletions fair",
    ]);
    expect(findingsOf({ ...facts, figures: figures([]), objects: seen(4) })).toEqual([]);
  });

  it("with many orphans is asked why", () => {
    const seen = (bytes: number) => ({
      tally: { ...emptyTally(), orphaned: { objects: 7, bytes } },
      at: now.toISOString(),
    });
    expect(findingsOf({ ...facts, figures: figures([]), objects: seen(99 * MB) })).toEqual([]);
    expect(findingsOf({ ...facts, figures: figures([]), objects: seen(100 * MB) })).toEqual(["orphans fair"]);
    const small = figures([], { bytes: { current: MB, keptForSnapshots: 0 } });
    expect(findingsOf({ ...facts, figures: small, objects: seen(63 * MB) })).toEqual([]);
  });

  it.each(["failed", "timed_out"])("whose last maintenance %s says so", (state) => {
    const lastMaintenance = { kind: "full" as const, state };
    expect(findingsOf({ ...facts, figures: figures([]), lastMaintenance })).toEqual(["maintenance_failed fair"]);
  });

  it.each(["succeeded", "cancelled"])("whose last maintenance %s does not", (state) => {
    expect(findingsOf({ ...facts, figures: figures([]), lastMaintenance: { kind: "daily", state } })).toEqual([]);
  });
});
