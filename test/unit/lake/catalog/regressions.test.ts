// What went wrong elsewhere in catalogs of this format, each as the guarantee it broke. Numbers are those of the
// duckdb/ducklake tracker.

import { describe, expect, it } from "vitest";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import {
  alter,
  append,
  column,
  compact,
  createTable,
  deleteRows,
  newLake,
  newWriter,
  overwrite,
  rowsOf,
} from "../../../support/unit/lake.ts";

const CONFLICT = { ok: false, refusal: { code: "resource_conflict" } };

/** Table 1 `main.t` with `files` data files of 10 rows, at snapshot 1, and two writers of it. */
async function newTable(files = 1) {
  const lake = newLake();
  const [one, two] = [await newWriter(lake, "one"), await newWriter(lake, "two")];
  valueOf(
    await one.commit([
      createTable("main", "t", [column(1, "a", "int32")]),
      append("main", "t", ...Array.from({ length: files }, () => one.file("main", "t", 10))),
    ]),
  );
  const rows = async () => (await lake.catalog.listTables("main"))[0]?.rows;
  return { ...lake, one, two, rows };
}

describe("the catalog", () => {
  it("loses no delete when a commit is tried again beside another's (#846)", async () => {
    const { one, two, rows } = await newTable();
    const of = (writer: typeof one, deleted: number) =>
      deleteRows("main", "t", { dataFileId: 0, file: writer.deletes("main", "t", deleted) });
    expect(await two.commit([of(two, 3)], { baseSnapshotId: 1, key: "two" })).toMatchObject({ ok: true });
    // A delete file made without knowing of the three rows would bring them back, however often it is sent.
    const stale = of(one, 5);
    expect(await one.commit([stale], { baseSnapshotId: 1, key: "one" })).toMatchObject(CONFLICT);
    expect(await one.commit([stale], { baseSnapshotId: 1, key: "one" })).toMatchObject(CONFLICT);
    expect(await rows()).toBe(7);
    expect(await one.commit([of(one, 8)], { baseSnapshotId: 2, key: "one" })).toMatchObject({ ok: true });
    expect(await rows()).toBe(2);
  });

  it("doubles no row when two upsert at once (#906)", async () => {
    const { one, two, rows } = await newTable(2);
    const upsert = (writer: typeof one, dataFileId: number): LakeChange[] => [
      deleteRows("main", "t", { dataFileId, file: writer.deletes("main", "t", 1) }),
      append("main", "t", writer.file("main", "t", 1)),
    ];
    const answers = await Promise.all([
      one.commit(upsert(one, 0), { baseSnapshotId: 1 }),
      two.commit(upsert(two, 1), { baseSnapshotId: 1 }),
    ]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
    expect(await rows()).toBe(20);
  });

  it("gives every commit a snapshot of its own and never touches it again (#897)", async () => {
    const { one, two, ...lake } = await newTable();
    const snapshots = () =>
      rowsOf(
        lake,
        "SELECT s.*, changes_made FROM ducklake_snapshot s JOIN ducklake_snapshot_changes USING (snapshot_id) ORDER BY snapshot_id",
      );
    const work = [one, two, one, two].map((writer) =>
      writer.commit([append("main", "t", writer.file("main", "t", 1))]),
    );
    const ids = (await Promise.all(work)).map((answer) => valueOf(answer).snapshotId);
    expect(new Set(ids).size).toBe(4);
    const before = await snapshots();
    await one.commit([alter("main", "t", { kind: "rename_column", id: 1, to: "b" })]);
    await one.commit([overwrite("main", "t")]);
    expect((await snapshots()).slice(0, before.length)).toEqual(before);
  });

  it("counts rows once, also when a commit is repeated or refused (#715)", async () => {
    const { one, two, ...lake } = await newTable();
    const changes = [append("main", "t", one.file("main", "t", 5))];
    for (let i = 0; i < 3; i++) await one.commit(changes, { key: "same" });
    await two.commit([append("main", "t", { ...two.file("main", "t", 7), footerBytes: 10_000 })]);
    expect(await rowsOf(lake, "SELECT record_count, next_row_id FROM ducklake_table_stats")).toEqual([
      { record_count: 15, next_row_id: 15 },
    ]);
  });

  it("marks a snapshot that compacts as one that changes no row, and keeps the files a change feed reads (#710)", async () => {
    const { one, two: _, ...lake } = await newTable(2);
    await one.commit([compact("main", "t", { data: [0, 1] }, one.file("main", "t", 20))], { baseSnapshotId: 1 });
    expect(await rowsOf(lake, "SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id = 2")).toEqual([
      { changes_made: "compacted_table:1" },
    ]);
    expect(
      await rowsOf(
        lake,
        "SELECT data_file_id AS id, begin_snapshot AS begins, end_snapshot AS ends FROM ducklake_data_file ORDER BY id",
      ),
    ).toEqual([
      { id: 0, begins: 1, ends: 2 },
      { id: 1, begins: 1, ends: 2 },
      { id: 2, begins: 2, ends: null },
    ]);
  });

  it("compacts files all of whose rows are deleted into none (#842)", async () => {
    const { one, rows, ...lake } = await newTable(2);
    await one.commit([deleteRows("main", "t", { dataFileId: 0, file: one.deletes("main", "t", 10) })], {
      baseSnapshotId: 1,
    });
    expect(await one.commit([compact("main", "t", { data: [0], deletes: [2] })], { baseSnapshotId: 2 })).toMatchObject({
      ok: true,
    });
    expect(await rows()).toBe(10);
    expect(
      valueOf(await lake.catalog.plan(3, [1], "everything"))[0]?.files.map(({ id, deletes }) => [id, deletes]),
    ).toEqual([[1, null]]);
  });

  it("schedules only files that it put into tables itself (#839)", async () => {
    const { one, ...lake } = await newTable();
    await one.commit([overwrite("main", "t", one.file("main", "t", 1))]);
    await lake.catalog.expireSnapshots({ olderThanMs: Date.now() + 60_000 });
    const due = await lake.catalog.listDueFiles(Date.now() + 120_000, 100);
    expect(due.map(({ id }) => id)).toEqual([0]);
    for (const { path } of due) expect(path).toMatch(/^main\/t\/[0-9a-f-]+\.parquet$/);
  });

  it("begins each version of a column with the snapshot that made it (#847)", async () => {
    const { one, ...lake } = await newTable();
    await one.commit([append("main", "t", one.file("main", "t", 1))]);
    await one.commit([alter("main", "t", { kind: "set_type", id: 1, type: "int64" })]);
    await one.commit([createTable("main", "u")]);
    await one.commit([alter("main", "t", { kind: "rename_column", id: 1, to: "b" })]);
    expect(
      await rowsOf(
        lake,
        "SELECT begin_snapshot AS begins, end_snapshot AS ends, column_name AS name, column_type AS type FROM ducklake_column WHERE table_id = 1 ORDER BY begins",
      ),
    ).toEqual([
      { begins: 1, ends: 3, name: "a", type: "int32" },
      { begins: 3, ends: 5, name: "a", type: "int64" },
      { begins: 5, ends: null, name: "b", type: "int64" },
    ]);
  });

  it("can't be judged from a base whose successors have expired, so such a commit is refused", async () => {
    const { one, two, ...lake } = await newTable();
    await two.commit([deleteRows("main", "t", { dataFileId: 0, file: two.deletes("main", "t", 3) })], {
      baseSnapshotId: 1,
    });
    await two.commit([createTable("main", "u")]);
    await lake.catalog.expireSnapshots({ snapshotIds: [2] });
    expect(await one.commit([append("main", "t", one.file("main", "t", 1))], { baseSnapshotId: 1 })).toMatchObject(
      CONFLICT,
    );
    expect(await one.commit([append("main", "t", one.file("main", "t", 1))], { baseSnapshotId: 3 })).toMatchObject({
      ok: true,
    });
  });
});
