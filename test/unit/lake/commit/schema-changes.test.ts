import { describe, expect, it } from "vitest";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
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
  statistics,
  type TestLake,
} from "../../../support/unit/lake.ts";
import { CONFLICT, invalid, newTable, filesAt, idsAt } from "./table-of-two-files.ts";

const tablesAt = async (lake: TestLake, snapshotId: number) =>
  valueOf(await lake.catalog.describe(snapshotId, "everything")).tables.map(
    ({ tableId, schema, name }) => `${tableId} ${schema}.${name}`,
  );
const columnsAt = async (lake: TestLake, snapshotId: number) =>
  valueOf(await lake.catalog.describe(snapshotId, "everything")).tables[0]?.columns;
const changesOf = async (lake: TestLake, snapshotId: number) =>
  (await rowsOf(lake, `SELECT changes_made FROM ducklake_snapshot_changes WHERE snapshot_id = ${snapshotId}`))[0]
    ?.changes_made;
const bounds = (lake: TestLake) =>
  rowsOf(
    lake,
    "SELECT column_id AS id, contains_null AS nulls, min_value AS min, max_value AS max FROM ducklake_table_column_stats WHERE table_id = 1 ORDER BY id",
  );

describe("a schema", () => {
  it("is created once, unless it may be there", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    expect(await writer.commit([{ kind: "create_schema", schema: "s" }])).toMatchObject({ ok: true });
    expect(await writer.commit([{ kind: "create_schema", schema: "S" }])).toMatchObject(CONFLICT);
    expect(await writer.commit([{ kind: "create_schema", schema: "S", ifMissing: true }])).toMatchObject({ ok: true });
    expect(valueOf(await lake.catalog.describe(1, "everything")).schemas).toEqual(["main", "s"]);
    expect(await changesOf(lake, 1)).toBe('created_schema:"s"');
    expect(await writer.commit([{ kind: "create_schema", schema: "pg_catalog" }])).toMatchObject(
      invalid("/changes/0/schema"),
    );
  });

  it("is dropped when it is empty, or with all it holds", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("s", "t"), append("s", "t", writer.file("s", "t", 5))]);
    expect(await writer.commit([{ kind: "drop_schema", schema: "s", cascade: false }])).toMatchObject(CONFLICT);
    expect(await writer.commit([{ kind: "drop_schema", schema: "S", cascade: true }])).toMatchObject({ ok: true });
    expect(valueOf(await lake.catalog.describe(2, "everything"))).toMatchObject({ schemas: ["main"], tables: [] });
    expect(await tablesAt(lake, 1)).toEqual(["2 s.t"]);
    expect(await changesOf(lake, 2)).toBe("dropped_schema:1,dropped_table:2");
    expect(await writer.commit([{ kind: "drop_schema", schema: "s", cascade: true }])).toMatchObject(CONFLICT);
  });

  it("main is always there", async () => {
    expect(
      await (await newWriter(newLake())).commit([{ kind: "drop_schema", schema: "Main", cascade: true }]),
    ).toMatchObject(invalid("/changes/0/schema"));
  });
});

describe("a table", () => {
  it("replaced is another table of the same name, in one snapshot", async () => {
    const lake = await newTable();
    const replacement: LakeChange = {
      kind: "create_table",
      schema: "main",
      name: "T",
      columns: [column(1, "x")],
      orReplace: true,
    };
    await lake.writer.commit([replacement, append("main", "t", lake.writer.file("main", "t", 3))]);
    expect(await tablesAt(lake, 1)).toEqual(["1 main.t"]);
    expect(await tablesAt(lake, 2)).toEqual(["2 main.T"]);
    expect(await idsAt(lake, 1)).toEqual([0, 1]);
    expect(await idsAt(lake, 2, 2)).toEqual([2]);
    expect(await changesOf(lake, 2)).toBe('dropped_table:1,created_table:"main"."T",inserted_into_table:2');
    expect(await lake.catalog.listTables("main")).toEqual([{ schema: "main", name: "T", rows: 3 }]);
  });

  it("dropped ends with everything it has, and its name is free", async () => {
    const lake = await newTable();
    await lake.writer.commit([deleteRows("main", "t", { dataFileId: 0, file: lake.writer.deletes("main", "t", 1) })], {
      baseSnapshotId: 1,
    });
    await lake.writer.commit([{ kind: "drop_table", schema: "main", name: "t" }]);
    expect(await tablesAt(lake, 3)).toEqual([]);
    expect(await idsAt(lake, 2)).toEqual([[0, 2], 1]);
    const live = ["table", "column", "data_file", "delete_file"]
      .map((part) => `SELECT count(*) AS n FROM ducklake_${part} WHERE end_snapshot IS NULL`)
      .join(" UNION ALL ");
    expect(await rowsOf(lake, live)).toEqual([{ n: 0 }, { n: 0 }, { n: 0 }, { n: 0 }]);
    expect(await changesOf(lake, 3)).toBe("dropped_table:1");
    expect(await lake.writer.commit([createTable("main", "t")])).toMatchObject({ ok: true });
    expect(await tablesAt(lake, 4)).toEqual(["2 main.t"]);
  });

  it("renamed keeps its id, its files and its folder, and takes new files there", async () => {
    const lake = await newTable();
    await lake.writer.commit([{ kind: "rename_table", schema: "main", name: "t", to: "U" }]);
    expect([await tablesAt(lake, 1), await tablesAt(lake, 2)]).toEqual([["1 main.t"], ["1 main.U"]]);
    expect(await filesAt(lake, 2)).toEqual(await filesAt(lake, 1));
    expect(await changesOf(lake, 2)).toBe("altered_table:1");
    expect(
      await lake.catalog.uploadFolders(lake.writer.token, [
        { schema: "main", name: "u" },
        { schema: "main", name: "t" },
      ]),
    ).toEqual({ ok: true, value: ["main/t/", expect.stringMatching(/^main\/[0-9a-f-]{36}\/$/)] });
    expect(
      await lake.writer.commit([append("main", "u", lake.writer.file("main", "t", 1)), createTable("main", "t")]),
    ).toMatchObject({ ok: true });
    expect(
      await rowsOf(lake, "SELECT table_uuid FROM ducklake_table WHERE table_id = 1 GROUP BY table_uuid"),
    ).toHaveLength(1);
  });

  it("takes no name that another has, but its own in another case", async () => {
    const lake = await newTable();
    await lake.writer.commit([createTable("main", "u")]);
    expect(await lake.writer.commit([{ kind: "rename_table", schema: "main", name: "t", to: "U" }])).toMatchObject(
      CONFLICT,
    );
    expect(await lake.writer.commit([{ kind: "rename_table", schema: "main", name: "t", to: "" }])).toMatchObject(
      invalid("/changes/0/to"),
    );
    expect(await lake.writer.commit([{ kind: "rename_table", schema: "main", name: "t", to: "T" }])).toMatchObject({
      ok: true,
    });
    expect(await tablesAt(lake, 3)).toEqual(["1 main.T", "2 main.u"]);
  });

  it("that is not the one expected is a conflict", async () => {
    const lake = await newTable();
    for (const change of [
      { kind: "drop_table", schema: "main", name: "t", expect: { tableId: 9 } },
      { ...overwrite("main", "t"), expect: { tableId: 9 } },
      { ...alter("main", "t", { kind: "drop_column", id: 2 }), expect: { tableId: 9 } },
    ] as LakeChange[]) {
      expect(await lake.writer.commit([change])).toMatchObject(CONFLICT);
    }
    expect(
      await lake.writer.commit([{ kind: "drop_table", schema: "main", name: "t", expect: { tableId: 1 } }]),
    ).toMatchObject({ ok: true });
  });

  it("made and dropped in one commit leaves no trace", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([
      createTable("s", "t"),
      append("s", "t", writer.file("s", "t", 1)),
      { kind: "drop_schema", schema: "s", cascade: true },
      createTable("main", "u"),
    ]);
    expect(valueOf(await lake.catalog.describe(1, "everything"))).toMatchObject({
      schemas: ["main"],
      tables: [{ name: "u" }],
    });
    expect(await rowsOf(lake, "SELECT * FROM ducklake_data_file")).toEqual([]);
    expect(await changesOf(lake, 1)).toBe('created_table:"main"."u"');
  });
});

describe("columns", () => {
  it("evolve under their ids; each snapshot shows them as they were", async () => {
    const lake = await newTable([column(1, "n", "int32"), column(2, "s", "varchar")]);
    await lake.writer.commit([
      alter(
        "main",
        "t",
        { kind: "add_column", column: column(3, "new", "date") },
        { kind: "rename_column", id: 2, to: "text" },
      ),
    ]);
    await lake.writer.commit([
      alter("main", "t", { kind: "set_type", id: 1, type: "int64" }, { kind: "drop_column", id: 2 }),
    ]);
    expect(await columnsAt(lake, 1)).toEqual([column(1, "n", "int32"), column(2, "s", "varchar")]);
    expect(await columnsAt(lake, 2)).toEqual([
      column(1, "n", "int32"),
      column(2, "text", "varchar"),
      column(3, "new", "date"),
    ]);
    expect(await columnsAt(lake, 3)).toEqual([column(1, "n"), column(3, "new", "date")]);
    expect(await changesOf(lake, 2)).toBe("altered_table:1");
    expect(
      await rowsOf(
        lake,
        "SELECT begin_snapshot AS begins, schema_version AS version FROM ducklake_schema_versions WHERE table_id = 1",
      ),
    ).toEqual([
      { begins: 1, version: 1 },
      { begins: 2, version: 2 },
      { begins: 3, version: 3 },
    ]);
    expect(await bounds(lake)).toEqual([
      { id: 1, nulls: 0, min: "1", max: "30" },
      { id: 3, nulls: 1, min: null, max: null },
    ]);
  });

  it("nested in one that is added come and go with it", async () => {
    const lake = await newTable();
    const struct = column(3, "place", "struct", [
      column(4, "x", "float64"),
      column(5, "tags", "list", [column(6, "element", "varchar")]),
    ]);
    await lake.writer.commit([alter("main", "t", { kind: "add_column", column: struct })]);
    expect((await columnsAt(lake, 2))?.[2]).toEqual(struct);
    expect(await lake.writer.commit([alter("main", "t", { kind: "rename_column", id: 4, to: "lon" })])).toMatchObject({
      ok: true,
    });
    expect(await lake.writer.commit([alter("main", "t", { kind: "rename_column", id: 6, to: "e" })])).toMatchObject(
      invalid("/changes/0/changes/0"),
    );
    expect(await lake.writer.commit([alter("main", "t", { kind: "drop_column", id: 4 })])).toMatchObject(
      invalid("/changes/0/changes/0"),
    );
    await lake.writer.commit([alter("main", "t", { kind: "drop_column", id: 3 })]);
    expect(
      await rowsOf(lake, "SELECT column_id AS id FROM ducklake_column WHERE end_snapshot IS NULL ORDER BY id"),
    ).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("never get an id that the table had before, whose values its files may hold still", async () => {
    const lake = await newTable();
    await lake.writer.commit([alter("main", "t", { kind: "drop_column", id: 2 })]);
    expect(
      await lake.writer.commit([alter("main", "t", { kind: "add_column", column: column(2, "again") })]),
    ).toMatchObject(invalid("/changes/0/changes/0/column/id"));
    expect(
      await lake.writer.commit([alter("main", "t", { kind: "add_column", column: column(3, "again") })]),
    ).toMatchObject({ ok: true });
  });

  it.each<[string, Parameters<typeof alter>[2], string]>([
    ["a name taken", { kind: "add_column", column: column(3, "N") }, "/column/name"],
    ["an unknown type", { kind: "add_column", column: column(3, "x", "number") }, "/column/type"],
    [
      "no NULL where rows are",
      { kind: "add_column", column: { ...column(3, "x"), nullable: false } },
      "/column/nullable",
    ],
    ["a column that is not there", { kind: "drop_column", id: 7 }, ""],
    ["a rename to a name taken", { kind: "rename_column", id: 1, to: "S" }, ""],
    ["a narrower type", { kind: "set_type", id: 1, type: "int32" }, ""],
    ["a type of another sort", { kind: "set_type", id: 1, type: "varchar" }, ""],
    ["a property of every object as a type", { kind: "set_type", id: 1, type: "constructor" }, ""],
  ])("refuse %s", async (_, change, field) => {
    const lake = await newTable();
    const answer = await lake.writer.commit([alter("main", "t", change)]);
    expect(answer.ok ? [] : answer.refusal.flaws.map(({ pointer }) => pointer)).toContain(
      `/changes/0/changes/0${field}`,
    );
    expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: 1 });
  });

  it("leave at least one", async () => {
    const lake = await newTable();
    expect(
      await lake.writer.commit([alter("main", "t", { kind: "drop_column", id: 1 }, { kind: "drop_column", id: 2 })]),
    ).toMatchObject(invalid("/changes/0"));
  });

  it("forbid NULL only where there is none", async () => {
    const lake = await newTable();
    expect(
      await lake.writer.commit([alter("main", "t", { kind: "set_nullable", id: 1, nullable: false })]),
    ).toMatchObject({ ok: true });
    expect((await columnsAt(lake, 2))?.[0]).toEqual({ ...column(1, "n"), nullable: false });
    await lake.writer.commit([alter("main", "t", { kind: "add_column", column: column(3, "x") })]);
    expect(
      await lake.writer.commit([alter("main", "t", { kind: "set_nullable", id: 3, nullable: false })]),
    ).toMatchObject(invalid("/changes/0/changes/0"));
  });

  it("widened from float32 forget bounds, which are other numbers as float64", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const file = writer.file("main", "t", 1, {
      statistics: [statistics(1, 1, { min: "0.1", max: "0.1", containsNan: false })],
    });
    await writer.commit([createTable("main", "t", [column(1, "f", "float32")]), append("main", "t", file)]);
    await writer.commit([alter("main", "t", { kind: "set_type", id: 1, type: "float64" })]);
    expect(await bounds(lake)).toEqual([{ id: 1, nulls: 0, min: null, max: null }]);
  });
});
