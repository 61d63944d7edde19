import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import { newId } from "../../../../src/core/ids.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { commitToCatalog } from "../../../../src/lake/commit/commit.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import {
  append,
  column,
  createTable,
  inside,
  newLake,
  newWriter,
  rowsOf,
  statistics,
} from "../../../support/unit/lake.ts";

describe("a commit", () => {
  it("makes a table and its files visible from its own snapshot on, and not before", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const file = writer.file("shop", "orders", 10, { statistics: [statistics(1, 10, { min: "1", max: "10" })] });
    const answer = await writer.commit([createTable("shop", "orders"), append("shop", "orders", file)], {
      author: "Ada",
      message: "first",
    });
    expect(answer).toEqual({ ok: true, value: { snapshotId: 1, replayed: false } });

    expect(valueOf(await lake.catalog.describe(0, "everything")).tables).toEqual([]);
    const { schemas, tables } = valueOf(await lake.catalog.describe(1, "everything"));
    expect(schemas).toEqual(["main", "shop"]);
    const orders = { tableId: 2, schema: "shop", name: "orders", version: "1" };
    expect(tables).toEqual([{ ...orders, columns: [column(1, "id")], view: "whole" }]);
    expect(valueOf(await lake.catalog.plan(0, [2], "everything"))).toEqual([]);
    expect(valueOf(await lake.catalog.plan(1, [2], "everything"))).toEqual([
      { tableId: 2, files: [{ id: 0, path: file.path, bytes: 1_010, rows: 10, deletes: null }] },
    ]);
    expect(valueOf(await lake.catalog.pathsOf(0, [0], "everything"))).toEqual({});
    expect(valueOf(await lake.catalog.pathsOf(1, [0, 99], "everything"))).toEqual({ 0: file.path });
  });

  it("writes the rows the specification asks for", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const file = writer.file("a b", 'say "x"', 7, {
      statistics: [statistics(1, 7, { bytes: 56, nulls: 2, min: "1", max: "9" })],
    });
    await writer.commit(
      [createTable("a b", 'say "x"'), append("a b", 'say "x"', file)],
      { author: "Ada", message: "hello" },
      Date.UTC(2100, 0, 2),
    );

    expect(await rowsOf(lake, "SELECT * FROM ducklake_snapshot WHERE snapshot_id = 1")).toEqual([
      {
        snapshot_id: 1,
        snapshot_time: "2100-01-02 00:00:00.000+00",
        schema_version: 1,
        next_catalog_id: 3,
        next_file_id: 1,
      },
    ]);
    expect(await rowsOf(lake, "SELECT * FROM ducklake_snapshot_changes WHERE snapshot_id = 1")).toEqual([
      {
        snapshot_id: 1,
        changes_made: 'created_schema:"a b",created_table:"a b"."say ""x""",inserted_into_table:2',
        author: "Ada",
        commit_message: "hello",
        commit_extra_info: null,
      },
    ]);
    expect(await rowsOf(lake, "SELECT * FROM ducklake_schema_versions")).toEqual([
      { begin_snapshot: 1, schema_version: 1, table_id: 2 },
    ]);
    expect(await rowsOf(lake, "SELECT * FROM ducklake_column")).toEqual([
      {
        ...{
          column_id: 1,
          begin_snapshot: 1,
          end_snapshot: null,
          table_id: 2,
          column_order: 1,
          column_name: "id",
          column_type: "int64",
        },
        ...{ initial_default: null, default_value: "NULL", nulls_allowed: 1, parent_column: null },
        ...{ default_value_type: "literal", default_value_dialect: "duckdb" },
      },
    ]);
    expect(await rowsOf(lake, "SELECT * FROM ducklake_data_file")).toEqual([
      {
        ...{
          data_file_id: 0,
          table_id: 2,
          begin_snapshot: 1,
          end_snapshot: null,
          file_order: 0,
          path: file.path.split("/").at(-1),
        },
        ...{
          path_is_relative: 1,
          file_format: "parquet",
          record_count: 7,
          file_size_bytes: 1_007,
          footer_size: 100,
          row_id_start: 0,
        },
        ...{ partition_id: null, encryption_key: null, mapping_id: null, partial_max: null },
      },
    ]);
    expect(await rowsOf(lake, "SELECT * FROM ducklake_file_column_stats")).toEqual([
      {
        ...{ data_file_id: 0, table_id: 2, column_id: 1, column_size_bytes: 56, value_count: 7, null_count: 2 },
        ...{ min_value: "1", max_value: "9", contains_nan: null, extra_stats: null },
      },
    ]);
    expect(await rowsOf(lake, "SELECT * FROM ducklake_table_stats")).toEqual([
      { table_id: 2, record_count: 7, next_row_id: 7, file_size_bytes: 1_007 },
    ]);
    expect(await rowsOf(lake, "SELECT * FROM ducklake_table_column_stats")).toEqual([
      {
        table_id: 2,
        column_id: 1,
        contains_null: 1,
        contains_nan: null,
        min_value: "1",
        max_value: "9",
        extra_stats: null,
      },
    ]);
  });

  it("keeps nested columns as a tree, children under the specification's names", async () => {
    const lake = newLake();
    const columns = [
      column(1, "tags", "list", [column(2, "anything", "varchar")]),
      column(3, "place", "struct", [
        column(4, "x", "float64"),
        column(5, "m", "map", [column(6, "k", "varchar"), column(7, "v", "decimal(18,2)")]),
      ]),
    ];
    await (await newWriter(lake)).commit([createTable("main", "t", columns)]);
    expect(valueOf(await lake.catalog.describe(1, "everything")).tables[0]?.columns).toEqual([
      column(1, "tags", "list", [column(2, "element", "varchar")]),
      column(3, "place", "struct", [
        column(4, "x", "float64"),
        column(5, "m", "map", [column(6, "key", "varchar"), column(7, "value", "decimal(18,2)")]),
      ]),
    ]);
  });

  it("counts rows, bytes and row ids on over several appends, and raises the schema version for a schema alone", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t")]);
    await writer.commit([append("main", "t", writer.file("main", "t", 5), writer.file("main", "t", 6))]);
    await writer.commit([append("MAIN", "T", writer.file("main", "t", 7))]);
    expect(await rowsOf(lake, "SELECT row_id_start, file_order FROM ducklake_data_file ORDER BY data_file_id")).toEqual(
      [
        { row_id_start: 0, file_order: 0 },
        { row_id_start: 5, file_order: 1 },
        { row_id_start: 11, file_order: 2 },
      ],
    );
    expect(await rowsOf(lake, "SELECT record_count, next_row_id, file_size_bytes FROM ducklake_table_stats")).toEqual([
      { record_count: 18, next_row_id: 18, file_size_bytes: 3_018 },
    ]);
    expect(await rowsOf(lake, "SELECT schema_version FROM ducklake_snapshot ORDER BY snapshot_id")).toEqual(
      [0, 1, 1, 1].map((schema_version) => ({ schema_version })),
    );
    expect(await lake.catalog.listTables("main")).toEqual([{ schema: "main", name: "t", rows: 18 }]);
  });

  it("never lets snapshot times stand still or go back, whatever the clock does", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const at = Date.now() + 1_000_000;
    for (const [index, ms] of [at, at, at - 500_000, at + 5].entries())
      await writer.commit([createTable("main", `t${index}`)], {}, ms);
    const times = (await rowsOf(lake, "SELECT snapshot_time FROM ducklake_snapshot ORDER BY snapshot_id")).map(
      ({ snapshot_time }) => String(snapshot_time),
    );
    expect(times).toEqual([...new Set(times)].sort());
  });

  it("repeated under its key answers with the first result and changes nothing", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const changes = [createTable("main", "t"), append("main", "t", writer.file("main", "t", 3))];
    expect(await writer.commit(changes, { key: "k" })).toEqual({ ok: true, value: { snapshotId: 1, replayed: false } });
    await writer.commit([append("main", "t", writer.file("main", "t", 3))]);
    expect(await writer.commit(changes, { key: "k" })).toEqual({ ok: true, value: { snapshotId: 1, replayed: true } });
    expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: 2 });
    expect(await rowsOf(lake, "SELECT count(*) AS files FROM ducklake_data_file")).toEqual([{ files: 2 }]);
  });

  it("under a fence that another holder has passed is refused", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const { lease, fence } = writer.token;
    await lake.catalog.releaseLease(lease, fence);
    const dead = { ok: false, refusal: { code: "resource_conflict" } };
    expect(await writer.commit([createTable("main", "t")])).toMatchObject(dead);
    const next = await newWriter(lake);
    expect(await writer.commit([createTable("main", "t")])).toMatchObject(dead);
    expect(await next.commit([createTable("main", "t")])).toMatchObject({ ok: true });
  });

  it("of a snapshot that a reader holds stays out of that reader's sight", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t"), append("main", "t", writer.file("main", "t", 1))]);
    const before = await lake.catalog.plan(1, [1], "everything");
    await writer.commit([append("main", "t", writer.file("main", "t", 1))]);
    expect(await lake.catalog.plan(1, [1], "everything")).toEqual(before);
    expect(valueOf(await lake.catalog.plan(2, [1], "everything"))[0]?.files).toHaveLength(2);
  });

  it("keeps bounds of text to the character", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const texts = ["", "'", '"', "\\", "\u0000x", "line\nbreak", "ÿ", "😀", "]}", "\u2028"];
    const files = texts.map((text) =>
      writer.file("main", "t", 1, { statistics: [statistics(1, 1, { min: text, max: text })] }),
    );
    await writer.commit([createTable("main", "t", [column(1, "text", "varchar")]), append("main", "t", ...files)]);
    expect(
      (await rowsOf(lake, "SELECT min_value FROM ducklake_file_column_stats ORDER BY data_file_id")).map(
        ({ min_value }) => min_value,
      ),
    ).toEqual(texts);
  });
});

describe("a commit that dies half way", () => {
  it("by an error leaves nothing of itself", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t")]);
    // The fifth of ten files meets a row that should not be there.
    await inside(
      lake,
      ({ storage }) => void storage.sql.exec("INSERT INTO ducklake_data_file (data_file_id, path) VALUES (4, 'stray')"),
    );
    const files = Array.from({ length: 10 }, () => writer.file("main", "t", 1));
    const work = async () =>
      await writer.commit([createTable("other", "u"), append("main", "t", ...files)], { key: "k" });
    await expect(work).rejects.toThrow(/UNIQUE/);
    expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: 1 });
    expect(await rowsOf(lake, "SELECT data_file_id FROM ducklake_data_file")).toEqual([{ data_file_id: 4 }]);
    expect(await rowsOf(lake, "SELECT table_name FROM ducklake_table")).toEqual([{ table_name: "t" }]);
    await inside(lake, ({ storage }) => void storage.sql.exec("DELETE FROM ducklake_data_file"));
    expect(await writer.commit([append("main", "t", ...files)], { key: "k" })).toEqual({
      ok: true,
      value: { snapshotId: 2, replayed: false },
    });
  });

  it("with its object leaves nothing of itself", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t")]);
    const { lease, fence, jobId } = writer.token;
    const commit = {
      key: "k",
      author: null,
      message: null,
      changes: [append("main", "t", writer.file("main", "t", 5))],
    };
    const dying = inside(lake, (state) => {
      state.storage.transactionSync(() => {
        commitToCatalog(state.storage, { lease, fence, jobId, commit }, Date.now());
        state.abort("power cut");
      });
    });
    await expect(dying).rejects.toThrow();
    await abortAllDurableObjects();
    const revived = { ...lake, catalog: openLake(env, lake.lakeId) };
    expect(await revived.catalog.currentSnapshot()).toEqual({ snapshotId: 1 });
    expect(await rowsOf(revived, "SELECT count(*) AS files FROM ducklake_data_file")).toEqual([{ files: 0 }]);
  });

  it("after it was answered is there for good", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t")]);
    await evictDurableObject(lake.catalog);
    expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: 1 });
  });
});

describe("a commit is refused, with every flaw, for", () => {
  const nameless = column(1, "");
  const cases: [string, (path: string) => LakeChange[], string[]][] = [
    ["an empty table name", () => [createTable("main", "")], ["/changes/0/name"]],
    ["a control character in a name", () => [createTable("ma\u0000in", "t")], ["/changes/0/schema"]],
    ["a schema of the system", () => [createTable("Information_Schema", "t")], ["/changes/0/schema"]],
    ["no columns", () => [createTable("main", "t", [])], ["/changes/0/columns"]],
    [
      "a nameless column of no known type",
      () => [createTable("main", "t", [{ ...nameless, type: "number" }])],
      ["/changes/0/columns/0/name", "/changes/0/columns/0/type"],
    ],
    [
      "two columns of one name",
      () => [createTable("main", "t", [column(1, "a"), column(2, "A")])],
      ["/changes/0/columns/1/name"],
    ],
    [
      "a field id used twice",
      () => [createTable("main", "t", [column(1, "a"), column(2, "b", "list", [column(1, "c")])])],
      ["/changes/0/columns/1/children/0/id"],
    ],
    ["a field id below one", () => [createTable("main", "t", [column(0, "a")])], ["/changes/0/columns/0/id"]],
    [
      "a decimal of 39 digits",
      () => [createTable("main", "t", [column(1, "a", "decimal(39,2)")])],
      ["/changes/0/columns/0/type"],
    ],
    [
      "a list without an element",
      () => [createTable("main", "t", [column(1, "a", "list")])],
      ["/changes/0/columns/0/type"],
    ],
    [
      "a property of every object as a type",
      () => [createTable("main", "t", [column(1, "a", "constructor")])],
      ["/changes/0/columns/0/type"],
    ],
  ];

  it.each(cases)("%s", async (_, changes, pointers) => {
    const lake = newLake();
    const answer = await (await newWriter(lake)).commit(changes(""));
    expect(answer).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed", flaws: pointers.map((pointer) => ({ pointer })) },
    });
    expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: 0 });
  });

  it("columns nested past the bound", async () => {
    let nested = column(100, "leaf");
    for (let id = 1; id <= 20; id++) nested = column(id, "s", "struct", [nested]);
    expect(await (await newWriter(newLake())).commit([createTable("main", "t", [nested])])).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed" },
    });
  });

  it.each<[string, (path: string) => object, string]>([
    ["a path of another table", (path) => ({ path: path.replace("main/t/", "main/u/") }), "path"],
    ["a path that climbs", (path) => ({ path: path.replace("main/t/", "main/t/../u/") }), "path"],
    ["a path of another job", () => ({ path: `main/t/${newId()}-${newId()}.parquet` }), "path"],
    ["a path in another lake", (path) => ({ path: `/team/lake/other/${path}` }), "path"],
    ["an empty file", () => ({ bytes: 0, footerBytes: 0 }), "bytes"],
    ["a footer as large as its file", () => ({ footerBytes: 5_000 }), "footerBytes"],
    ["statistics of no column", () => ({ statistics: [statistics(9, 3)] }), "statistics/0"],
    ["two statistics of a column", () => ({ statistics: [statistics(1, 3), statistics(1, 3)] }), "statistics/1"],
    ["more nulls than values", () => ({ statistics: [statistics(1, 3, { nulls: 4 })] }), "statistics/0"],
    ["other values than rows", () => ({ statistics: [statistics(1, 4)] }), "statistics/0"],
    ["a bound too long", () => ({ statistics: [statistics(1, 3, { min: "x".repeat(5_000) })] }), "statistics/0"],
  ])("%s", async (_, break_, field) => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const file = writer.file("main", "t", 3);
    const answer = await writer.commit([
      createTable("main", "t"),
      append("main", "t", { ...file, ...break_(file.path) }),
    ]);
    const pointers = answer.ok ? [] : answer.refusal.flaws.map(({ pointer }) => pointer);
    expect(pointers).toContain(`/changes/1/files/0/${field}`);
    expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: 0 });
  });

  it("a file that the lake has already, or names twice", async () => {
    const writer = await newWriter(newLake());
    const [one, two] = [writer.file("main", "t", 3), writer.file("main", "t", 3)];
    await writer.commit([createTable("main", "t"), append("main", "t", one)]);
    expect(await writer.commit([append("main", "t", two, one, two)])).toMatchObject({
      ok: false,
      refusal: { flaws: [{ pointer: "/changes/0/files/1/path" }, { pointer: "/changes/0/files/2/path" }] },
    });
  });
});

describe("a commit of many files with the longest bounds there may be", () => {
  it("is taken whole, in however many statements", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const long = "€".repeat(4_096);
    const files = Array.from({ length: 200 }, () =>
      writer.file("main", "t", 1, { statistics: [statistics(1, 1, { min: long, max: long })] }),
    );
    expect(
      await writer.commit([createTable("main", "t", [column(1, "text", "varchar")]), append("main", "t", ...files)]),
    ).toMatchObject({ ok: true });
    expect(
      await rowsOf(lake, "SELECT count(*) AS n, min(length(min_value)) AS shortest FROM ducklake_file_column_stats"),
    ).toEqual([{ n: 200, shortest: 4_096 }]);
  });
});

describe("a commit of a thousand files of fifty columns", () => {
  it("is taken whole", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const columns = Array.from({ length: 50 }, (_, index) => column(index + 1, `c${index}`));
    await writer.commit([createTable("main", "t", columns)]);
    const all = columns.map(({ id }) =>
      statistics(id, 100, { min: "-9223372036854775808", max: "9223372036854775807" }),
    );
    const files = Array.from({ length: 1_000 }, () => writer.file("main", "t", 100, { statistics: all }));
    expect(await writer.commit([append("main", "t", ...files)])).toMatchObject({ ok: true });
    expect(await rowsOf(lake, "SELECT count(*) AS n FROM ducklake_file_column_stats")).toEqual([{ n: 50_000 }]);
  });
});
