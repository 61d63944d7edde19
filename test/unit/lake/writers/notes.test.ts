import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { JobProgress, type JobOutcome } from "../../../../kernel/jobs/job.ts";
import type { MaintenanceProgress } from "../../../../kernel/lake/maintenance.ts";
import type { SyncProgress } from "../../../../kernel/jobs/progress.ts";
import { LAKE_CATALOG_LIMITS } from "../../../../src/lake/format/limits.ts";
import { append, createTable, newLake, newWriter, rowsOf } from "../../../support/unit/lake.ts";

describe("a writer's notes", () => {
  it("are kept with the commit's rows, and with none of them when it is refused", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const state = [
      { key: "mark", value: "1" },
      { key: "other", value: "x" },
    ];
    await writer.commit([createTable("main", "t")], { state });
    expect(await lake.catalog.notesOf(["mark", "other", "none"])).toEqual({ mark: "1", other: "x", none: null });
    expect(await writer.commit([createTable("main", "t")], { state: [{ key: "mark", value: "2" }] })).toMatchObject({
      ok: false,
    });
    expect(
      await writer.commit([append("main", "t", { ...writer.file("main", "t", 1), bytes: 0, footerBytes: 0 })], {
        state: [{ key: "mark", value: "2" }],
      }),
    ).toMatchObject({ ok: false });
    expect(await lake.catalog.notesOf(["mark"])).toEqual({ mark: "1" });
    await writer.commit([append("main", "t", writer.file("main", "t", 1))], {
      state: [
        { key: "mark", value: "3" },
        { key: "other", value: null },
      ],
    });
    await evictDurableObject(lake.catalog);
    expect(await lake.catalog.notesOf(["mark", "other"])).toEqual({ mark: "3", other: null });
    expect(await rowsOf(lake, "SELECT key, snapshot_id FROM fjord_state")).toEqual([{ key: "mark", snapshot_id: 2 }]);
  });

  it("alone make no snapshot, and are repeatable by their key", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t")]);
    const note = (value: string, key: string) => writer.commit([], { key, state: [{ key: "mark", value }] });
    expect(await note("1", "a")).toEqual({ ok: true, value: { snapshotId: 1, replayed: false } });
    expect(await note("2", "b")).toEqual({ ok: true, value: { snapshotId: 1, replayed: false } });
    expect(await note("1", "a")).toEqual({ ok: true, value: { snapshotId: 1, replayed: true } });
    expect(await lake.catalog.notesOf(["mark"])).toEqual({ mark: "2" });
  });

  it("are bounded in bytes, not in characters", async () => {
    const writer = await newWriter(newLake());
    const note = (value: string) => writer.commit([], { state: [{ key: "mark", value }] });
    expect(await note("x".repeat(LAKE_CATALOG_LIMITS.stateBytesMax))).toMatchObject({ ok: true });
    expect(await note("€".repeat(LAKE_CATALOG_LIMITS.stateBytesMax / 2))).toMatchObject({
      ok: false,
      refusal: { flaws: [{ pointer: "/state/0/value" }] },
    });
  });

  it("about a table are not of it any more once a later commit of its writer did not keep them", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const isOfTable = async () =>
      (await lake.catalog.noteOfTable({ key: "mark", beside: "run" }, { schema: "main", name: "T" })).isOfTable;
    const note = (...keys: string[]) => ({ state: keys.map((key) => ({ key, value: "1" })) });
    await writer.commit([createTable("main", "t")], note("mark"));
    expect(await isOfTable(), "nothing says who published the table").toBe(false);
    await writer.commit([append("main", "t", writer.file("main", "t", 1))], note("mark", "run"));
    expect(await isOfTable()).toBe(true);
    await writer.commit([], note("mark", "run"));
    expect(await isOfTable()).toBe(true);
    await writer.commit([append("main", "t", writer.file("main", "t", 1))], note("run"));
    expect(await isOfTable()).toBe(false);
  });

  it("are forgotten by their prefix, taken to the letter", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([], {
      state: ["sync/1/a", "sync/1/b", "sync/10/a", "sync/%/a"].map((key) => ({ key, value: "x" })),
    });
    expect(await lake.catalog.forgetNotes("sync/1/")).toBe(2);
    expect(await lake.catalog.forgetNotes("sync/%/")).toBe(1);
    expect(await lake.catalog.notesOf(["sync/10/a"])).toEqual({ "sync/10/a": "x" });
  });
});

const ROW = {
  source: "a.t",
  dest: "t",
  phase: "reading" as const,
  rowsRead: 1,
  rowsWritten: 0,
  rowsDeleted: 0,
  bytesWritten: 0,
  method: "merge",
  notes: [],
  error: null,
};
const progress = (rowsRead: number): SyncProgress => ({ tables: [{ ...ROW, rowsRead }] });
const outcome: JobOutcome = {
  outcome: "failed",
  error: "The source went away.",
  retryable: true,
  progress: progress(9),
};

describe("what a job tells", () => {
  it("is kept as its last word, with its end", async () => {
    const { catalog } = newLake();
    await catalog.acquireLease("sync/1", "job", 60_000);
    expect([await catalog.progressOf("sync/1"), await catalog.outcomeOf("sync/1")]).toEqual([undefined, undefined]);
    await catalog.keepProgress("sync/1", 1, progress(1));
    await catalog.keepProgress("sync/1", 1, progress(2));
    expect(await catalog.progressOf("sync/1")).toEqual({ fence: 1, value: progress(2) });
    expect(await catalog.outcomeOf("sync/1")).toBeUndefined();
    await catalog.keepOutcome("sync/1", 1, outcome);
    await catalog.keepProgress("sync/1", 1, progress(3));
    expect(await catalog.outcomeOf("sync/1"), "what comes late says nothing any more").toEqual({
      fence: 1,
      value: outcome,
    });
    expect(await catalog.progressOf("sync/1")).toEqual({ fence: 1, value: progress(9) });
  });

  it("has the form of its kind of work, and no other", async () => {
    const { catalog } = newLake();
    const maintenance: MaintenanceProgress = { kind: "maintenance", level: "daily", steps: [], tables: [] };
    await catalog.acquireLease("maintenance", "job", 60_000);
    await catalog.keepProgress("maintenance", 1, maintenance);
    expect(await catalog.progressOf("maintenance")).toEqual({ fence: 1, value: maintenance });
    const parsed = [progress(1), maintenance].map((form) => JobProgress.parse(form));
    expect(parsed).toEqual([progress(1), maintenance]);
    for (const form of [
      { ...maintenance, tables: [ROW] },
      { ...progress(1), steps: [] },
      { kind: "other", tables: [] },
    ])
      expect(JobProgress.safeParse(form).success, JSON.stringify(form)).toBe(false);
  });

  it("under a dead fence is refused, and says nothing of the job that took over", async () => {
    const { catalog } = newLake();
    await catalog.acquireLease("sync/1", "job", 1_000, 0);
    await catalog.keepOutcome("sync/1", 1, outcome);
    await catalog.acquireLease("sync/1", "next", 1_000, 2_000);
    expect(await catalog.keepProgress("sync/1", 1, progress(3))).toMatchObject({
      ok: false,
      refusal: { code: "resource_conflict" },
    });
    expect(await catalog.outcomeOf("sync/1")).toMatchObject({ fence: 1 });
    await catalog.keepProgress("sync/1", 2, progress(4));
    expect(await catalog.outcomeOf("sync/1")).toBeUndefined();
    expect(await catalog.progressOf("sync/1")).toEqual({ fence: 2, value: progress(4) });
  });

  it("is bounded", async () => {
    const { catalog } = newLake();
    await catalog.acquireLease("sync/1", "job", 60_000);
    const tables = Array.from({ length: 400 }, () => ({ ...ROW, error: "x".repeat(4_000) }));
    expect(await catalog.keepProgress("sync/1", 1, { tables })).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed" },
    });
  });
});
