import { describe, expect, it } from "vitest";
import {
  append,
  compact,
  createTable,
  deleteRows,
  overwrite,
  rowsOf,
  statistics,
  type TestLake,
} from "../../../support/unit/lake.ts";
import { CONFLICT, invalid, newTable, idsAt } from "./table-of-two-files.ts";

const changesOf = async (lake: TestLake, snapshotId: number) =>
  (await rowsOf(lake, `SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id = ${snapshotId}`))[0]
    ?.changes_made;
const totals = async (lake: TestLake) =>
  (
    await rowsOf(lake, "SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats WHERE table_id = 1")
  )[0];
const bounds = (lake: TestLake) =>
  rowsOf(
    lake,
    "SELECT column_id AS id, contains_null AS nulls, min_value AS min, max_value AS max FROM ducklake_table_column_stats WHERE table_id = 1 ORDER BY id",
  );

describe("an overwrite", () => {
  it("swaps every file in one snapshot; readers see the old rows or the new, never none", async () => {
    const lake = await newTable();
    await lake.writer.commit([deleteRows("main", "t", { dataFileId: 0, file: lake.writer.deletes("main", "t", 4) })], {
      baseSnapshotId: 1,
    });
    const file = lake.writer.file("main", "t", 7, { statistics: [statistics(1, 7, { min: "5", max: "6", nulls: 1 })] });
    await lake.writer.commit([overwrite("main", "t", file)]);
    expect([await idsAt(lake, 1), await idsAt(lake, 2), await idsAt(lake, 3)]).toEqual([[0, 1], [[0, 2], 1], [3]]);
    expect(await totals(lake)).toEqual({ record_count: 7, next_row_id: 37, file_size_bytes: 1_007 });
    expect(await bounds(lake)).toEqual([
      { id: 1, nulls: 1, min: "5", max: "6" },
      { id: 2, nulls: null, min: null, max: null },
    ]);
    expect(await changesOf(lake, 3)).toBe("inserted_into_table:1,deleted_from_table:1");
  });

  it("by nothing leaves a table without rows, whose bounds begin anew", async () => {
    const lake = await newTable();
    await lake.writer.commit([overwrite("main", "t")]);
    expect(await idsAt(lake, 2)).toEqual([]);
    expect(await bounds(lake)).toEqual([]);
    expect(await lake.catalog.listTables("main")).toMatchObject([{ rows: 0 }]);
    await lake.writer.commit([
      append(
        "main",
        "t",
        lake.writer.file("main", "t", 1, {
          statistics: [statistics(1, 1, { min: "100", max: "100" }), statistics(2, 1)],
        }),
      ),
    ]);
    expect((await bounds(lake))[0]).toEqual({ id: 1, nulls: 0, min: "100", max: "100" });
  });
});

describe("a delete", () => {
  it("gives a data file one delete file, in place of the one before", async () => {
    const lake = await newTable();
    await lake.writer.commit([deleteRows("main", "t", { dataFileId: 0, file: lake.writer.deletes("main", "t", 2) })], {
      baseSnapshotId: 1,
    });
    await lake.writer.commit(
      [
        deleteRows(
          "main",
          "t",
          { dataFileId: 0, file: lake.writer.deletes("main", "t", 5) },
          { dataFileId: 1, file: lake.writer.deletes("main", "t", 1) },
        ),
      ],
      { baseSnapshotId: 2 },
    );
    expect([await idsAt(lake, 1), await idsAt(lake, 2), await idsAt(lake, 3)]).toEqual([
      [0, 1],
      [[0, 2], 1],
      [
        [0, 3],
        [1, 4],
      ],
    ]);
    expect(await lake.catalog.listTables("main")).toMatchObject([{ rows: 30 - 5 - 1 }]);
    expect(await totals(lake)).toEqual({ record_count: 30, next_row_id: 30, file_size_bytes: 2_030 });
    expect(await rowsOf(lake, "SELECT * FROM ducklake_delete_file WHERE delete_file_id = 2")).toEqual([
      {
        ...{
          delete_file_id: 2,
          table_id: 1,
          begin_snapshot: 2,
          end_snapshot: 3,
          data_file_id: 0,
          path_is_relative: 1,
          format: "parquet",
        },
        ...{
          delete_count: 2,
          file_size_bytes: 502,
          footer_size: 50,
          encryption_key: null,
          partial_max: null,
          path: expect.stringContaining(".parquet"),
        },
      },
    ]);
    expect(await changesOf(lake, 3)).toBe("deleted_from_table:1");
  });

  it("with rows added is one snapshot: an update", async () => {
    const lake = await newTable();
    await lake.writer.commit(
      [
        deleteRows("main", "t", { dataFileId: 0, file: lake.writer.deletes("main", "t", 2) }),
        append("main", "t", lake.writer.file("main", "t", 2)),
      ],
      { baseSnapshotId: 1 },
    );
    expect(await idsAt(lake, 2)).toEqual([[0, 2], 1, 3]);
    expect(await lake.catalog.listTables("main")).toMatchObject([{ rows: 30 }]);
    expect(await changesOf(lake, 2)).toBe("inserted_into_table:1,deleted_from_table:1");
  });

  it("is refused without a base, for rows that were deleted before, and for more rows than there are", async () => {
    const lake = await newTable();
    const of = (rows: number) =>
      deleteRows("main", "t", { dataFileId: 0, file: lake.writer.deletes("main", "t", rows) });
    expect(await lake.writer.commit([of(2)])).toMatchObject(invalid("/changes/0"));
    expect(await lake.writer.commit([of(11)], { baseSnapshotId: 1 })).toMatchObject(
      invalid("/changes/0/deletes/0/file/rows"),
    );
    expect(await lake.writer.commit([of(0)], { baseSnapshotId: 1 })).toMatchObject(
      invalid("/changes/0/deletes/0/file/rows"),
    );
    await lake.writer.commit([of(2)], { baseSnapshotId: 1 });
    expect(await lake.writer.commit([of(2)], { baseSnapshotId: 2 })).toMatchObject(
      invalid("/changes/0/deletes/0/file/rows"),
    );
    const foreign = { ...lake.writer.deletes("main", "t", 3), path: lake.files[0].path };
    expect(
      await lake.writer.commit([deleteRows("main", "t", { dataFileId: 0, file: foreign })], { baseSnapshotId: 2 }),
    ).toMatchObject(invalid("/changes/0/deletes/0/file/path"));
  });

  it("of a data file that is not the table's is a conflict", async () => {
    const lake = await newTable();
    await lake.writer.commit([createTable("main", "u"), append("main", "u", lake.writer.file("main", "u", 3))]);
    const of = (dataFileId: number) =>
      lake.writer.commit([deleteRows("main", "t", { dataFileId, file: lake.writer.deletes("main", "t", 1) })], {
        baseSnapshotId: 2,
      });
    expect(await of(2)).toMatchObject(CONFLICT);
    expect(await of(99)).toMatchObject(CONFLICT);
  });

  it("of whole data files ends them, and bounds begin anew once none is left", async () => {
    const lake = await newTable();
    const drop = (dataFileIds: number[], baseSnapshotId: number) =>
      lake.writer.commit([{ kind: "drop_files", schema: "main", name: "t", dataFileIds }], { baseSnapshotId });
    await lake.writer.commit([deleteRows("main", "t", { dataFileId: 0, file: lake.writer.deletes("main", "t", 9) })], {
      baseSnapshotId: 1,
    });
    await drop([0], 2);
    expect([await idsAt(lake, 2), await idsAt(lake, 3)]).toEqual([[[0, 2], 1], [1]]);
    expect(await totals(lake)).toEqual({ record_count: 20, next_row_id: 30, file_size_bytes: 1_020 });
    expect((await bounds(lake))[0]).toMatchObject({ min: "1", max: "30" });
    expect(await lake.catalog.listTables("main")).toMatchObject([{ rows: 20 }]);
    await drop([1], 3);
    expect(await bounds(lake)).toEqual([]);
    expect(await drop([1], 4)).toMatchObject(CONFLICT);
  });
});

describe("a compaction", () => {
  it("writes the same rows into other files; snapshots before it go on reading the old ones", async () => {
    const lake = await newTable();
    await lake.writer.commit([compact("main", "t", { data: [1, 0] }, lake.writer.file("main", "t", 30))], {
      baseSnapshotId: 1,
    });
    expect([await idsAt(lake, 1), await idsAt(lake, 2)]).toEqual([[0, 1], [2]]);
    expect(await changesOf(lake, 2)).toBe("compacted_table:1");
    expect(await totals(lake)).toEqual({ record_count: 30, next_row_id: 30, file_size_bytes: 1_030 });
    expect((await bounds(lake))[0]).toMatchObject({ min: "1", max: "30" });
    // The row ids of the old files run on, so the new file's do by themselves.
    expect(
      await rowsOf(lake, "SELECT row_id_start, file_order FROM ducklake_data_file WHERE data_file_id = 2"),
    ).toEqual([{ row_id_start: 0, file_order: 0 }]);
  });

  it("takes deleted rows away with their delete files", async () => {
    const lake = await newTable();
    await lake.writer.commit([deleteRows("main", "t", { dataFileId: 0, file: lake.writer.deletes("main", "t", 4) })], {
      baseSnapshotId: 1,
    });
    await lake.writer.commit([compact("main", "t", { data: [0], deletes: [2] }, lake.writer.file("main", "t", 6))], {
      baseSnapshotId: 2,
    });
    expect([await idsAt(lake, 2), await idsAt(lake, 3)]).toEqual([
      [[0, 2], 1],
      [3, 1],
    ]);
    expect(await lake.catalog.listTables("main")).toMatchObject([{ rows: 26 }]);
    expect(await rowsOf(lake, "SELECT row_id_start FROM ducklake_data_file WHERE data_file_id = 3")).toEqual([
      { row_id_start: null },
    ]);
  });

  it("that would lose or double a row is refused", async () => {
    const lake = await newTable();
    for (const rows of [29, 31]) {
      expect(
        await lake.writer.commit([compact("main", "t", { data: [0, 1] }, lake.writer.file("main", "t", rows))], {
          baseSnapshotId: 1,
        }),
      ).toMatchObject(invalid("/changes/0/files"));
    }
    await lake.writer.commit([deleteRows("main", "t", { dataFileId: 0, file: lake.writer.deletes("main", "t", 4) })], {
      baseSnapshotId: 1,
    });
    expect(
      await lake.writer.commit([compact("main", "t", { data: [0, 1] }, lake.writer.file("main", "t", 26))], {
        baseSnapshotId: 2,
      }),
    ).toMatchObject(CONFLICT);
  });

  it("is no part of a commit that changes rows", async () => {
    const lake = await newTable();
    const changes = [
      compact("main", "t", { data: [0, 1] }, lake.writer.file("main", "t", 30)),
      append("main", "t", lake.writer.file("main", "t", 1)),
    ];
    expect(await lake.writer.commit(changes, { baseSnapshotId: 1 })).toMatchObject(invalid("/changes"));
  });
});
