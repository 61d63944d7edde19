import { describe, expect, it } from "vitest";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import {
  alter,
  append,
  column,
  compact,
  createTable,
  deleteRows,
  inside,
  overwrite,
} from "../../../support/unit/lake.ts";
import { newCatalog } from "./browse.ts";

type Shown = {
  snapshot_id: number;
  operation: string;
  rows_added: number;
  rows_removed: number;
  files_added: number;
  files_removed: number;
};

/** A table's life, one snapshot after the other. */
async function newHistory() {
  const catalog = await newCatalog();
  const { writer } = catalog;
  const file = (rows: number) => writer.file("main", "t", rows);
  const deletes = (rows: number) => writer.deletes("main", "t", rows);
  const steps = [
    await writer.commit([createTable("main", "t")], { author: "sync:1", message: "First" }),
    await writer.commit([append("main", "t", file(10))]),
    await writer.commit([createTable("main", "other"), append("main", "other", writer.file("main", "other", 99))]),
    await writer.commit([deleteRows("main", "t", { dataFileId: 0, file: deletes(3) })], { baseSnapshotId: 3 }),
    await writer.commit([deleteRows("main", "t", { dataFileId: 0, file: deletes(5) }), append("main", "t", file(2))], {
      baseSnapshotId: 4,
    }),
    await writer.commit([
      alter(
        "main",
        "t",
        { kind: "add_column", column: column(2, "more") },
        { kind: "rename_column", id: 1, to: "key" },
      ),
    ]),
  ];
  expect(steps.map(({ ok }) => ok)).toEqual(steps.map(() => true));
  return {
    ...catalog,
    file,
    deletes,
    snapshots: async (query = ""): Promise<Shown[]> =>
      (await catalog.get(`/tables/main/t/snapshots${query}`)).body.data.items,
  };
}

const flow = ({ snapshot_id, operation, rows_added, rows_removed }: Shown) => [
  snapshot_id,
  operation,
  rows_added,
  rows_removed,
];

describe("listTableSnapshots", () => {
  it("tells what each snapshot did to the table, newest first, and nothing of other tables", async () => {
    const { snapshots } = await newHistory();
    expect((await snapshots()).map(flow)).toEqual([
      [6, "alter", 0, 0],
      [5, "update", 2, 2],
      [4, "delete", 0, 3],
      [2, "append", 10, 0],
      [1, "create", 0, 0],
    ]);
  });

  it("tells who, when and why, and the sizes that came and went", async () => {
    const { snapshots } = await newHistory();
    const [, updated, , , created] = await snapshots();
    expect(created).toMatchObject({
      author: "sync:1",
      message: "First",
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      changes: ["created_table"],
    });
    // The delete file of five positions takes the place of that of three.
    expect(updated).toMatchObject({
      bytes_added: 1_002 + 505,
      bytes_removed: 503,
      files_added: 1,
      files_removed: 0,
      changes: ["inserted_into_table", "deleted_from_table"],
    });
  });

  it("tells which columns changed, and from what", async () => {
    const { snapshots } = await newHistory();
    expect((await snapshots())[0]).toMatchObject({
      changes: ["altered_table"],
      columns_changed: [
        { change: "altered", name: "key", lake_type: "int64", before: { name: "id", lake_type: "int64" } },
        { change: "added", name: "more", lake_type: "int64", before: null },
      ],
    });
  });

  it("counts an overwrite's rows less those deleted before", async () => {
    const { writer, file, snapshots } = await newHistory();
    await writer.commit([overwrite("main", "t", file(7))]);
    expect((await snapshots()).slice(0, 1).map(flow)).toEqual([[7, "overwrite", 7, 7]]);
    expect((await snapshots())[0]).toMatchObject({
      files_added: 1,
      files_removed: 2,
      bytes_removed: 1_010 + 1_002 + 505,
    });
  });

  it("counts no rows of a compaction, only its files", async () => {
    const { writer, file, lake, snapshots } = await newHistory();
    const [live] = await inside(lake, ({ storage }) =>
      storage.sql
        .exec<{ id: number }>("SELECT delete_file_id AS id FROM ducklake_delete_file WHERE end_snapshot IS NULL")
        .toArray(),
    );
    const data = await inside(lake, ({ storage }) =>
      storage.sql
        .exec<{ id: number }>("SELECT data_file_id AS id FROM ducklake_data_file WHERE table_id = 1")
        .toArray(),
    );
    const answer = await writer.commit(
      [compact("main", "t", { data: data.map(({ id }) => id), deletes: [live!.id] }, file(7))],
      { baseSnapshotId: 6 },
    );
    expect(answer).toMatchObject({ ok: true });
    expect((await snapshots())[0]).toMatchObject({
      snapshot_id: 7,
      operation: "compact",
      rows_added: 0,
      rows_removed: 0,
      files_added: 1,
      files_removed: 2,
    });
  });

  it("goes on under the table's new name", async () => {
    const { writer, get } = await newHistory();
    await writer.commit([{ kind: "rename_table", schema: "main", name: "t", to: "renamed" }]);
    const { data } = (await get("/tables/main/renamed/snapshots")).body;
    expect(data.items.map(flow)[0]).toEqual([7, "alter", 0, 0]);
    expect(data.total).toBe(6);
  });

  it("goes back to what was in the place of a table that was made anew, and of no other of its name", async () => {
    const { writer, file, get, snapshots } = await newHistory();
    const anew = (rows: number) =>
      writer.commit([{ ...createTable("main", "t"), orReplace: true } as LakeChange, append("main", "t", file(rows))]);
    await anew(4);
    await anew(6);
    expect((await snapshots()).slice(0, 3).map(flow)).toEqual([
      [8, "create", 6, 4],
      [7, "create", 4, 7],
      [6, "alter", 0, 0],
    ]);
    expect((await snapshots())[0]).toMatchObject({
      changes: ["created_table", "dropped_table", "inserted_into_table"],
      columns_changed: [],
      files_added: 1,
      files_removed: 1,
    });
    expect((await get("/tables/main/t/snapshots?limit=1")).body.data.items).toMatchObject([{ snapshot_id: 8 }]);
    await writer.commit([{ kind: "drop_table", schema: "main", name: "t" }]);
    await writer.commit([createTable("main", "t")]);
    expect((await snapshots()).map(flow)).toEqual([[10, "create", 0, 0]]);
  });

  it("gives as many as asked, and counts them all", async () => {
    const { get } = await newHistory();
    const { data } = (await get("/tables/main/t/snapshots?limit=2")).body;
    expect(data).toMatchObject({ items: [{ snapshot_id: 6 }, { snapshot_id: 5 }], total: 5, limit: 2, offset: 0 });
    expect((await get("/tables/main/t/snapshots")).body.data.limit).toBe(28);
  });

  it.each(["0", "201", "-1", "1.5", "ten", ""])("refuses the limit %s", async (limit) => {
    const { get } = await newCatalog();
    expect(await get(`/tables/main/t/snapshots?limit=${limit}`)).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/query/limit" }] } },
    });
  });

  it("tells of a snapshot that only names the table, as another writer's compaction does", async () => {
    const { lake, snapshots } = await newHistory();
    await inside(lake, ({ storage }) =>
      storage.sql.exec(
        "UPDATE ducklake_snapshot_changes SET changes_made = changes_made || ',merge_adjacent:1' WHERE snapshot_id = 3",
      ),
    );
    expect((await snapshots())[3]).toMatchObject({
      snapshot_id: 3,
      operation: "compact",
      changes: ["merge_adjacent"],
      rows_added: 0,
    });
  });

  it("takes no name that spells another change for one", async () => {
    const { writer, snapshots } = await newHistory();
    await writer.commit([createTable("main", "altered_table:1,")]);
    expect((await snapshots())[0]).toMatchObject({ snapshot_id: 6 });
  });

  it("finds no table that is not there", async () => {
    const { get } = await newHistory();
    expect((await get("/tables/main/none/snapshots")).status).toBe(404);
  });
});
