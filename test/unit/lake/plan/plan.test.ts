import { describe, expect, it } from "vitest";
import { LAKE_CATALOG_LIMITS } from "../../../../src/lake/format/limits.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { append, column, createTable, inside, newLake, newWriter, type TestLake } from "../../../support/unit/lake.ts";

/** Three snapshots of a table with two files; what follows is written as other writers of the specification would. */
async function newTable() {
  const lake = newLake();
  const writer = await newWriter(lake);
  const files = [writer.file("main", "t", 10), writer.file("main", "t", 20)] as const;
  await writer.commit([createTable("main", "t", [column(1, "a"), column(2, "b")])]);
  await writer.commit([append("main", "t", ...files)]);
  await writer.commit([createTable("main", "other")]);
  return { ...lake, writer, files };
}

const execute = (lake: TestLake, ...statements: string[]): Promise<void> =>
  inside(lake, ({ storage }) => statements.forEach((statement) => storage.sql.exec(statement)));

const filesAt = async (lake: TestLake, snapshotId: number) =>
  valueOf(await lake.catalog.plan(snapshotId, [1], "everything"))[0]?.files;
const DELETES = `INSERT INTO ducklake_delete_file (delete_file_id, table_id, begin_snapshot, end_snapshot, data_file_id, path, path_is_relative, format, delete_count, file_size_bytes)
  VALUES (7, 1, 2, 3, 0, 'first-deletes.parquet', 1, 'parquet', 2, 50), (8, 1, 3, NULL, 0, 'second-deletes.parquet', 1, 'parquet', 4, 60)`;

describe("a plan", () => {
  it("gives each data file the one delete file of its snapshot", async () => {
    const lake = await newTable();
    await execute(lake, DELETES);
    const deletesAt = async (snapshotId: number) => (await filesAt(lake, snapshotId))!.map(({ deletes }) => deletes);
    expect(await deletesAt(2)).toEqual([{ id: 7, path: "main/t/first-deletes.parquet", bytes: 50, rows: 2 }, null]);
    expect(await deletesAt(3)).toEqual([{ id: 8, path: "main/t/second-deletes.parquet", bytes: 60, rows: 4 }, null]);
  });

  it("shows a file up to, but not including, the snapshot that ended it", async () => {
    const lake = await newTable();
    await execute(lake, "UPDATE ducklake_data_file SET end_snapshot = 3 WHERE data_file_id = 0");
    expect((await filesAt(lake, 1))?.map(({ id }) => id)).toEqual([]);
    expect((await filesAt(lake, 2))?.map(({ id }) => id)).toEqual([0, 1]);
    expect((await filesAt(lake, 3))?.map(({ id }) => id)).toEqual([1]);
  });

  it("leaves out a table that does not exist at its snapshot", async () => {
    const lake = await newTable();
    await execute(lake, "UPDATE ducklake_table SET end_snapshot = 3 WHERE table_id = 1");
    expect(await filesAt(lake, 0)).toBeUndefined();
    expect(await filesAt(lake, 2)).toHaveLength(2);
    expect(await filesAt(lake, 3)).toBeUndefined();
  });

  it("answers in the order it was asked, whatever else there is", async () => {
    const { catalog } = await newTable();
    expect(valueOf(await catalog.plan(3, [2, 99, 1], "everything")).map(({ tableId }) => tableId)).toEqual([2, 1]);
  });

  it("of more files than its bound is refused, not cut", async () => {
    const lake = await newTable();
    await execute(
      lake,
      `WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT ${LAKE_CATALOG_LIMITS.plannedFilesMax})
       INSERT INTO ducklake_data_file (data_file_id, table_id, begin_snapshot, path, record_count, file_size_bytes) SELECT i, 1, 3, i, 1, 1 FROM n`,
    );
    expect(await filesAt(lake, 2)).toHaveLength(2);
    expect(await lake.catalog.plan(3, [1], "everything")).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed" },
    });
  });
});

describe("paths of files", () => {
  it("are told for data and delete files of the snapshot, and for no others", async () => {
    const lake = await newTable();
    await execute(lake, DELETES, "UPDATE ducklake_data_file SET end_snapshot = 3 WHERE data_file_id = 1");
    expect(valueOf(await lake.catalog.pathsOf(2, [0, 1, 7, 8], "everything"))).toEqual({
      0: lake.files[0].path,
      1: lake.files[1].path,
      7: "main/t/first-deletes.parquet",
    });
    expect(valueOf(await lake.catalog.pathsOf(3, [0, 1, 7, 8], "everything"))).toEqual({
      0: lake.files[0].path,
      8: "main/t/second-deletes.parquet",
    });
    expect(valueOf(await lake.catalog.pathsOf(1, [0, 1, 7, 8], "everything"))).toEqual({});
  });
});

describe("a description", () => {
  it("shows columns as they were at its snapshot", async () => {
    const lake = await newTable();
    await execute(
      lake,
      "UPDATE ducklake_column SET end_snapshot = 3 WHERE table_id = 1 AND column_id = 2",
      `INSERT INTO ducklake_column (column_id, begin_snapshot, table_id, column_order, column_name, column_type, nulls_allowed) VALUES (2, 3, 1, 2, 'renamed', 'int64', 0)`,
    );
    const columnsAt = async (snapshotId: number) =>
      valueOf(await lake.catalog.describe(snapshotId, "everything")).tables.find(({ name }) => name === "t")?.columns;
    expect(await columnsAt(2)).toEqual([column(1, "a"), column(2, "b")]);
    expect(await columnsAt(3)).toEqual([column(1, "a"), { ...column(2, "renamed"), nullable: false }]);
  });

  it("of a snapshot that is not there is refused", async () => {
    const { catalog } = await newTable();
    const missing = { ok: false, refusal: { code: "resource_not_found" } };
    for (const answer of [
      await catalog.describe(4, "everything"),
      await catalog.plan(4, [1], "everything"),
      await catalog.pathsOf(4, [0], "everything"),
    ])
      expect(answer).toMatchObject(missing);
  });
});
