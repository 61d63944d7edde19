import { describe, expect, it } from "vitest";
import { LakeCommit, type LakeChange } from "../../../../kernel/lake/commit.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import {
  alter,
  append,
  column,
  createTable,
  newLake,
  newWriter,
  rowsOf,
  type TestLake,
} from "../../../support/unit/lake.ts";

const comments = (name: string, ...set: [columnId: number | null, comment: string | null][]): LakeChange => ({
  kind: "set_comments",
  schema: "main",
  name,
  comments: set.map(([columnId, comment]) => ({ columnId, comment })),
});

/** The comments as `table.column: comment`, the table's own without a column. */
const reportedAt = async (lake: TestLake, snapshotId: number): Promise<unknown[]> => {
  const at = `t.begin_snapshot <= ${snapshotId} AND (t.end_snapshot IS NULL OR t.end_snapshot > ${snapshotId}) AND t.key = 'comment'`;
  const rows = await rowsOf(
    lake,
    `SELECT object_id || ': ' || value AS reported FROM ducklake_tag t WHERE ${at} UNION ALL SELECT table_id || '.' || column_id || ': ' || value FROM ducklake_column_tag t WHERE ${at} ORDER BY reported`,
  );
  return rows.map(({ reported }) => reported);
};

/** Table 1, `main.t`, with two columns, and comments on it and the first: all of snapshot 1. */
async function newTable() {
  const lake = newLake();
  const writer = await newWriter(lake);
  valueOf(
    await writer.commit([
      createTable("main", "t", [column(1, "a"), column(2, "b")]),
      comments("t", [null, "a table"], [1, "an a"]),
    ]),
  );
  return { ...lake, writer };
}

describe("comments on a table and its columns", () => {
  it("begin with the table, change, and go, and every snapshot keeps its own", async () => {
    const lake = await newTable();
    valueOf(await lake.writer.commit([comments("T", [null, "the table"], [1, "an a"], [2, "a b"])]));
    valueOf(await lake.writer.commit([comments("t", [null, null], [1, null])]));
    expect([await reportedAt(lake, 1), await reportedAt(lake, 2), await reportedAt(lake, 3)]).toEqual([
      ["1.1: an a", "1: a table"],
      ["1.1: an a", "1.2: a b", "1: the table"],
      ["1.2: a b"],
    ]);
    // What stayed as it was is no new row.
    expect(await rowsOf(lake, "SELECT count(*) AS n FROM ducklake_column_tag WHERE column_id = 1")).toEqual([{ n: 1 }]);
  });

  it("that alone change are an alteration of the table, as DuckDB's own extension writes it", async () => {
    const lake = await newTable();
    valueOf(await lake.writer.commit([comments("t", [2, "a b"])]));
    expect(
      await rowsOf(
        lake,
        "SELECT changes_made AS made, schema_version AS version FROM ducklake_snapshot_changes JOIN ducklake_snapshot USING (snapshot_id) WHERE snapshot_id > 0",
      ),
    ).toEqual([
      { made: 'created_table:"main"."t"', version: 1 },
      { made: "altered_table:1", version: 2 },
    ]);
    expect(
      await rowsOf(
        lake,
        "SELECT begin_snapshot AS snapshot, schema_version AS version FROM ducklake_schema_versions WHERE table_id = 1",
      ),
    ).toEqual([
      { snapshot: 1, version: 1 },
      { snapshot: 2, version: 2 },
    ]);
  });

  it("that are there already make no snapshot, and beside other changes no row", async () => {
    const lake = await newTable();
    const same = comments("t", [null, "a table"], [1, "an a"], [2, null]);
    const first = await lake.writer.commit([same], { key: "again", state: [{ key: "k", value: "v" }] });
    expect(first).toEqual({ ok: true, value: { snapshotId: 1, replayed: false } });
    expect(await lake.writer.commit([same], { key: "again" })).toEqual({
      ok: true,
      value: { snapshotId: 1, replayed: true },
    });
    expect(await lake.writer.commit([comments("t", [2, "a b"], [2, null])])).toMatchObject({
      ok: true,
      value: { snapshotId: 1 },
    });
    expect(await lake.writer.commit([append("main", "t", lake.writer.file("main", "t", 1)), same])).toMatchObject({
      ok: true,
      value: { snapshotId: 2 },
    });
    expect(
      await rowsOf(lake, "SELECT changes_made AS made FROM ducklake_snapshot_changes WHERE snapshot_id = 2"),
    ).toEqual([{ made: "inserted_into_table:1" }]);
    expect(await reportedAt(lake, 2)).toEqual(["1.1: an a", "1: a table"]);
  });

  it("stay with a column that is renamed or widened, and go with one that is dropped", async () => {
    const lake = await newTable();
    valueOf(
      await lake.writer.commit([
        alter("main", "t", { kind: "rename_column", id: 1, to: "c" }),
        { kind: "rename_table", schema: "main", name: "t", to: "u" },
      ]),
    );
    expect(await reportedAt(lake, 2)).toEqual(["1.1: an a", "1: a table"]);
    valueOf(
      await lake.writer.commit([
        comments("u", [1, "gone at once"]),
        alter("main", "u", { kind: "drop_column", id: 1 }),
      ]),
    );
    expect([await reportedAt(lake, 2), await reportedAt(lake, 3)]).toEqual([
      ["1.1: an a", "1: a table"],
      ["1: a table"],
    ]);
  });

  it("go with a table that is dropped or made anew, which can bring its own", async () => {
    const lake = await newTable();
    valueOf(
      await lake.writer.commit([
        { kind: "create_table", schema: "main", name: "t", columns: [column(1, "a")], orReplace: true },
        comments("t", [1, "an a"]),
      ]),
    );
    expect([await reportedAt(lake, 1), await reportedAt(lake, 2)]).toEqual([
      ["1.1: an a", "1: a table"],
      ["2.1: an a"],
    ]);
    valueOf(await lake.writer.commit([{ kind: "drop_table", schema: "main", name: "t" }]));
    expect(await reportedAt(lake, 3)).toEqual([]);
  });

  it("of a column that is not there are a flaw, and of a table that is not there a conflict", async () => {
    const { writer } = await newTable();
    expect(await writer.commit([comments("t", [null, "x"], [3, "x"])])).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed", flaws: [{ pointer: "/changes/0/comments/1/columnId" }] },
    });
    expect(await writer.commit([comments("u", [null, "x"])])).toMatchObject({
      ok: false,
      refusal: { code: "resource_conflict" },
    });
    expect(
      await writer.commit([{ ...comments("t", [null, "x"]), expect: { tableId: 9 } } as LakeChange]),
    ).toMatchObject({ ok: false, refusal: { code: "resource_conflict" } });
  });

  it("belong to the sync that owns the table", async () => {
    const { catalog, writer } = await newTable();
    await catalog.claimTables({ owner: "sync:1", name: "Shop" }, [{ schema: "main", name: "t" }]);
    expect(await writer.commit([comments("t", [null, "x"])])).toMatchObject({
      ok: false,
      refusal: { code: "resource_conflict", detail: expect.stringContaining("Shop") },
    });
  });

  it("are forgotten with the last snapshot that shows them", async () => {
    const lake = await newTable();
    valueOf(await lake.writer.commit([comments("t", [null, "the table"], [1, null])]));
    valueOf(await lake.writer.commit([createTable("main", "u"), comments("u", [null, "gone"], [1, "too"])]));
    valueOf(await lake.writer.commit([{ kind: "drop_table", schema: "main", name: "u" }]));
    await lake.catalog.expireSnapshots({ snapshotIds: [0, 1] });
    expect(
      await rowsOf(
        lake,
        "SELECT value FROM ducklake_tag UNION ALL SELECT value FROM ducklake_column_tag ORDER BY value",
      ),
    ).toEqual([{ value: "gone" }, { value: "the table" }, { value: "too" }]);
    await lake.catalog.expireSnapshots({ snapshotIds: [2, 3] });
    expect(
      await rowsOf(lake, "SELECT value FROM ducklake_tag UNION ALL SELECT value FROM ducklake_column_tag"),
    ).toEqual([{ value: "the table" }]);
  });

  it.each([
    ["", false],
    ["x", true],
    ["x".repeat(4_096), true],
    ["x".repeat(4_097), false],
    ["a\0b", false],
    ["two\nlines, “quoted” 🦭", true],
  ])("may be %j: %s", (comment, isValid) => {
    expect(
      LakeCommit.safeParse({ key: "k", author: null, message: null, changes: [comments("t", [null, comment])] })
        .success,
    ).toBe(isValid);
  });
});
