import { describe, expect, it } from "vitest";
import { valueOf } from "../../../../src/core/answer.ts";
import {
  alter,
  append,
  column,
  createTable,
  deleteRows,
  newLake,
  newWriter,
  overwrite,
  rowsOf,
  type TestLake,
} from "../../../support/unit/lake.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2100, 0, 1);

/**
 * Snapshot n is n hours after the start: 1 makes `main.t` with file 0, 2 deletes from it by file 1, 3 overwrites by
 * file 2, 4 appends 3.
 */
async function newHistory() {
  const lake = newLake();
  const writer = await newWriter(lake);
  const at = (hour: number) => START + hour * HOUR;
  const files = [writer.file("main", "t", 10), writer.file("main", "t", 5), writer.file("main", "t", 1)] as const;
  const deletes = writer.deletes("main", "t", 2);
  valueOf(await writer.commit([createTable("main", "t"), append("main", "t", files[0])], {}, at(1)));
  valueOf(
    await writer.commit([deleteRows("main", "t", { dataFileId: 0, file: deletes })], { baseSnapshotId: 1 }, at(2)),
  );
  valueOf(await writer.commit([overwrite("main", "t", files[1])], {}, at(3)));
  valueOf(await writer.commit([append("main", "t", files[2])], {}, at(4)));
  return { ...lake, writer, at, files, deletes };
}

const plan = async (lake: TestLake, snapshotId: number) =>
  valueOf(await lake.catalog.plan(snapshotId, [1], "everything"))[0]?.files.map(({ id }) => id);

describe("expiring snapshots", () => {
  it("forgets those older than an instant, and schedules what only they read", async () => {
    const lake = await newHistory();
    expect(await lake.catalog.expireSnapshots({ olderThanMs: lake.at(3) }, lake.at(10))).toEqual({
      snapshotIds: [0, 1, 2],
      files: 2,
      isMore: false,
    });
    expect(await lake.catalog.plan(2, [1], "everything")).toMatchObject({
      ok: false,
      refusal: { code: "resource_not_found" },
    });
    expect([await plan(lake, 3), await plan(lake, 4)]).toEqual([[2], [2, 3]]);
    expect(await lake.catalog.listDueFiles(lake.at(11), 10)).toEqual([
      { id: 0, path: lake.files[0].path, bytes: 1_010 },
      { id: 1, path: lake.deletes.path, bytes: 502 },
    ]);
    expect(
      await rowsOf(
        lake,
        "SELECT data_file_id AS id FROM ducklake_data_file UNION ALL SELECT delete_file_id FROM ducklake_delete_file ORDER BY id",
      ),
    ).toEqual([{ id: 2 }, { id: 3 }]);
  });

  it("keeps a file that any snapshot left still reads, and the newest snapshot always", async () => {
    const lake = await newHistory();
    expect(await lake.catalog.expireSnapshots({ snapshotIds: [0, 2, 4, 99] }, lake.at(10))).toMatchObject({
      snapshotIds: [0, 2],
      files: 1,
    });
    expect([await plan(lake, 1), await plan(lake, 3), await plan(lake, 4)]).toEqual([[0], [2], [2, 3]]);
    expect(await lake.catalog.expireSnapshots({ olderThanMs: lake.at(100) }, lake.at(10))).toMatchObject({
      snapshotIds: [1, 3],
      files: 1,
    });
    expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: 4 });
    expect(await lake.catalog.expireSnapshots({ olderThanMs: lake.at(100) }, lake.at(10))).toEqual({
      snapshotIds: [],
      files: 0,
      isMore: false,
    });
  });

  it("leaves scheduled files alone for the grace, and forgets them once they are said to be deleted", async () => {
    const lake = await newHistory();
    await lake.catalog.expireSnapshots({ olderThanMs: lake.at(3) }, lake.at(10));
    expect(await lake.catalog.listDueFiles(lake.at(10), 10)).toEqual([]);
    const [first] = await lake.catalog.listDueFiles(lake.at(11), 1);
    expect(await lake.catalog.confirmDeleted([first!.id, 3])).toBe(1);
    expect((await lake.catalog.listDueFiles(lake.at(11), 10)).map(({ id }) => id)).toEqual([1]);
    expect(await lake.catalog.confirmDeleted([first!.id])).toBe(0);
    // An id that was never on the schedule stays in its table.
    expect(await plan(lake, 4)).toEqual([2, 3]);
  });

  it("forgets a dropped table with its last snapshot, and nothing of those that live", async () => {
    const lake = await newHistory();
    await lake.writer.commit(
      [createTable("s", "gone"), append("s", "gone", lake.writer.file("s", "gone", 1))],
      {},
      lake.at(5),
    );
    await lake.writer.commit(
      [
        alter("main", "t", { kind: "add_column", column: column(2, "b") }),
        { kind: "drop_schema", schema: "s", cascade: true },
      ],
      {},
      lake.at(6),
    );
    await lake.writer.commit([{ kind: "rename_table", schema: "main", name: "t", to: "u" }], {}, lake.at(7));
    await lake.catalog.expireSnapshots({ olderThanMs: lake.at(7) }, lake.at(10));
    for (const part of ["table", "column", "table_stats", "schema_versions", "data_file"]) {
      expect(await rowsOf(lake, `SELECT DISTINCT table_id AS id FROM ducklake_${part}`)).toEqual([{ id: 1 }]);
    }
    expect(await rowsOf(lake, "SELECT schema_name AS name FROM ducklake_schema")).toEqual([{ name: "main" }]);
    expect(valueOf(await lake.catalog.describe(7, "everything")).tables).toEqual([
      {
        tableId: 1,
        schema: "main",
        name: "u",
        version: "7",
        columns: [column(1, "id"), column(2, "b")],
        view: "whole",
      },
    ]);
  });

  it("goes in bounded steps", async () => {
    const lake = newLake();
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10100)`;
    await lake.catalog.currentSnapshot();
    await rowsOf(lake, `${rows} INSERT INTO ducklake_snapshot SELECT i, '2026-01-01 00:00:00.000+00', 0, 1, 0 FROM n`);
    const first = await lake.catalog.expireSnapshots({ olderThanMs: START });
    expect([first.snapshotIds.length, first.isMore]).toEqual([10_000, true]);
    const second = await lake.catalog.expireSnapshots({ olderThanMs: START });
    expect([second.snapshotIds.length, second.isMore]).toEqual([100, false]);
  });
});
