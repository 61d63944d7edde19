import { evictDurableObject } from "cloudflare:test";
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
  type TestLake,
} from "../../../support/unit/lake.ts";
import { grantOf, readerOf } from "../access/reading.ts";
import { undoLayouts } from "../catalog/lake-layouts.ts";

type Versions = Record<string, string>;

const versionsIn = (tables: readonly { name: string; version: string }[]): Versions =>
  Object.fromEntries(tables.map(({ name, version }) => [name, version]));

const versionsAt = async ({ catalog }: TestLake, snapshotId: number): Promise<Versions> =>
  versionsIn(valueOf(await catalog.describe(snapshotId, "everything")).tables);

/** Tables t and other, each with a file, at snapshot 1. */
async function newTables() {
  const lake = newLake();
  const writer = await newWriter(lake);
  const file = (rows: number) => writer.file("main", "t", rows);
  const commit = async (...changes: LakeChange[]) => {
    const baseSnapshotId = (await lake.catalog.currentSnapshot()).snapshotId;
    return valueOf(await writer.commit(changes, { baseSnapshotId })).snapshotId;
  };
  await commit(
    createTable("main", "t", [column(1, "a"), column(2, "b")]),
    createTable("main", "other"),
    append("main", "t", file(10), file(20)),
  );
  return { ...lake, writer, file, commit };
}

describe("a table's version", () => {
  it.each<[string, (lake: Awaited<ReturnType<typeof newTables>>) => LakeChange]>([
    ["rows added", ({ file }) => append("main", "t", file(1))],
    ["rows deleted", ({ writer }) => deleteRows("main", "t", { dataFileId: 0, file: writer.deletes("main", "t", 2) })],
    ["rows replaced", ({ file }) => overwrite("main", "t", file(5))],
    ["all rows gone", () => overwrite("main", "t")],
    ["files gone", () => ({ kind: "drop_files", schema: "main", name: "t", dataFileIds: [1] })],
    ["a compaction", ({ file }) => compact("main", "t", { data: [0, 1] }, file(30))],
    ["a column added", () => alter("main", "t", { kind: "add_column", column: column(3, "c") })],
    ["a column renamed", () => alter("main", "t", { kind: "rename_column", id: 2, to: "c" })],
    ["a column dropped", () => alter("main", "t", { kind: "drop_column", id: 2 })],
    ["another name", () => ({ kind: "rename_table", schema: "main", name: "t", to: "u" })],
    ["another table of its name", () => ({ ...createTable("main", "t"), orReplace: true }) as LakeChange],
  ])("is another after %s, and that of other tables stays", async (_, change) => {
    const lake = await newTables();
    const snapshotId = await lake.commit(change(lake));
    const [before, after] = [await versionsAt(lake, snapshotId - 1), await versionsAt(lake, snapshotId)];
    const now = after.t ?? after.u;
    expect(now).toBeDefined();
    expect(now).not.toBe(before.t);
    expect(after.other).toBe(before.other);
    // Jobs learn the same.
    expect(versionsIn((await lake.catalog.describeSchema("main")).tables)).toEqual(after);
  });

  it("stays over commits to others and over comments", async () => {
    const lake = await newTables();
    await lake.commit(append("main", "other", lake.writer.file("main", "other", 1)));
    await lake.commit(createTable("main", "third"));
    const snapshotId = await lake.commit({
      kind: "set_comments",
      schema: "main",
      name: "t",
      comments: [{ columnId: null, comment: "said" }],
    });
    expect((await versionsAt(lake, snapshotId)).t).toBe((await versionsAt(lake, 1)).t);
  });

  it("is not the one of another time once the snapshots between have expired", async () => {
    const lake = await newTables();
    const first = (await versionsAt(lake, 1)).t;
    await lake.commit(overwrite("main", "t", lake.file(3)));
    const emptied = await lake.commit({ kind: "drop_files", schema: "main", name: "t", dataFileIds: [2] });
    const seen = [first, (await versionsAt(lake, 2)).t, (await versionsAt(lake, emptied)).t];
    await lake.commit(createTable("main", "third"));
    await lake.catalog.expireSnapshots({ snapshotIds: [0, 1, 2, 3] });
    // Nothing of the table's rows is left that says when it changed.
    expect(await rowsOf(lake, "SELECT * FROM ducklake_data_file WHERE table_id = 1")).toEqual([]);
    expect((await versionsAt(lake, 4)).t).toBe(seen[2]);
    expect(new Set(seen).size).toBe(3);
  });

  it("is another for who reads by roles once a column has another name, whichever snapshot is read", async () => {
    const lake = await newTables();
    const reader = await readerOf(lake, [[grantOf("main", "t", { excludes: ["secret"] })]]);
    const before = (await reader.describe(1)).tables[0]!;
    await lake.commit(alter("main", "t", { kind: "rename_column", id: 2, to: "secret" }));
    const after = (await reader.describe(1)).tables[0]!;
    expect([before.columns.length, after.columns.length]).toEqual([2, 1]);
    expect(after.version).not.toBe(before.version);
    await lake.commit(append("main", "t", lake.file(1)));
    expect((await reader.describe(1)).tables[0]!.version).toBe(after.version);
  });

  it("is kept for as long as a snapshot reads by it, and no longer", async () => {
    const lake = await newTables();
    for (let i = 0; i < 5; i++) await lake.commit(append("main", "t", lake.file(1)));
    await lake.catalog.expireSnapshots({ snapshotIds: [0, 1, 2, 3] });
    const before = await Promise.all([4, 5, 6].map((id) => versionsAt(lake, id)));
    await lake.commit(append("main", "t", lake.file(1)));
    expect(await Promise.all([4, 5, 6].map((id) => versionsAt(lake, id)))).toEqual(before);
    const kept = () => rowsOf(lake, "SELECT table_id AS t, snapshot_id AS at FROM fjord_table_versions ORDER BY t, at");
    expect(await kept()).toEqual([4, 5, 6, 7].map((at) => ({ t: 1, at })).concat({ t: 2, at: 1 }));
    const dropped = await lake.commit({ kind: "drop_table", schema: "main", name: "t" });
    await lake.catalog.expireSnapshots({ snapshotIds: [4, 5, 6, 7] });
    expect(dropped).toBe(8);
    expect(await kept()).toEqual([{ t: 2, at: 1 }]);
  });

  it("of a catalog from before versions were kept is one of its own at each earlier snapshot", async () => {
    const lake = await newTables();
    await lake.commit(append("main", "t", lake.file(1)));
    for (const sql of undoLayouts(5)) await rowsOf(lake, sql);
    await evictDurableObject(lake.catalog);
    await lake.commit(append("main", "other", lake.writer.file("main", "other", 1)));
    await lake.commit(append("main", "t", lake.file(1)));
    const versions = await Promise.all([1, 2, 3, 4].map((id) => versionsAt(lake, id)));
    expect(versions.map(({ t }) => t)).toEqual(["1", "2", "2", "4"]);
    expect(versions.map(({ other }) => other)).toEqual(["1", "2", "3", "3"]);
  });
});
