import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { foldName } from "../../../../kernel/text/fold-name.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import {
  alter,
  append,
  column,
  createTable,
  deleteRows,
  inside,
  overwrite,
  statistics,
} from "../../../support/unit/lake.ts";
import { newCatalog } from "./browse.ts";

const bounds = (min: string, max: string, nulls = 0) => ({ min, max, nulls });

describe("listLakeTables", () => {
  it("counts the rows a query sees, and what they take", async () => {
    const { get, writer } = await newCatalog();
    await writer.commit([
      createTable("shop", "orders", [column(1, "id"), column(2, "at", "timestamptz")]),
      createTable("main", "empty"),
    ]);
    await writer.commit([
      append("shop", "orders", writer.file("shop", "orders", 10), writer.file("shop", "orders", 5)),
    ]);
    await writer.commit([deleteRows("shop", "orders", { dataFileId: 0, file: writer.deletes("shop", "orders", 4) })], {
      baseSnapshotId: 2,
    });
    const { status, body } = await get("/tables");
    expect(status).toBe(200);
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(body.data).toEqual({
      items: [
        {
          schema_name: "main",
          table_name: "empty",
          comment: null,
          row_count: 0,
          bytes: 0,
          file_count: 0,
          delete_file_count: 0,
          column_count: 1,
          last_change: { snapshot_id: 1, at },
        },
        {
          schema_name: "shop",
          table_name: "orders",
          comment: null,
          row_count: 11,
          bytes: 1_010 + 1_005 + 504,
          file_count: 2,
          delete_file_count: 1,
          column_count: 2,
          last_change: { snapshot_id: 3, at },
        },
      ],
      total: 2,
      limit: 10_000,
      offset: 0,
    });
  });

  it("leaves out what was dropped and follows what was renamed", async () => {
    const { get, writer } = await newCatalog();
    await writer.commit([createTable("main", "kept"), createTable("main", "gone")]);
    await writer.commit([
      { kind: "drop_table", schema: "main", name: "gone" },
      { kind: "rename_table", schema: "main", name: "kept", to: "Renamed" },
    ]);
    const { body } = await get("/tables");
    expect(
      body.data.items.map((table: { table_name: string; last_change: { snapshot_id: number } }) => [
        table.table_name,
        table.last_change.snapshot_id,
      ]),
    ).toEqual([["Renamed", 2]]);
  });

  it("of an empty lake is an empty list", async () => {
    const { get } = await newCatalog();
    expect((await get("/tables")).body.data).toMatchObject({ items: [], total: 0 });
  });

  it("finds no lake where an integration is none, or another team's", async () => {
    const [{ team, root }, other] = [await newCatalog(), await newCatalog()];
    for (const path of [
      `/v4/catalog/integrations/${newId()}/tables`,
      `/v4/catalog/integrations/x/tables`,
      `${other.root}/tables`,
    ]) {
      expect(await call("GET", path, { key: team.admin.key })).toMatchObject({
        status: 404,
        body: { error: { code: "resource_not_found" } },
      });
    }
    expect((await call("GET", `${root}/tables`, { key: team.member.key })).status).toBe(200);
  });

  it("refuses a query parameter, for it takes none", async () => {
    const { get } = await newCatalog();
    expect(await get("/tables?limit=1")).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/query/limit" }] } },
    });
  });
});

describe("getLakeTable", () => {
  it("shows columns with their types in SQL's words, nested ones with their parts", async () => {
    const { get, writer } = await newCatalog();
    const columns = [
      { ...column(1, "id"), nullable: false },
      column(2, "price", "decimal(18,2)"),
      column(3, "tags", "list", [column(4, "element", "varchar")]),
      column(5, "where", "struct", [
        column(6, "street no", "int32"),
        column(7, "by", "map", [column(8, "key", "varchar"), column(9, "value", "uuid")]),
      ]),
    ];
    await writer.commit([createTable("main", "t", columns)]);
    const { data } = (await get("/tables/main/t")).body;
    expect(
      data.columns.map(({ name, type, lake_type, nullable }: Record<string, unknown>) => [
        name,
        type,
        lake_type,
        nullable,
      ]),
    ).toEqual([
      ["id", "BIGINT", "int64", false],
      ["price", "DECIMAL(18,2)", "decimal(18,2)", true],
      ["tags", "VARCHAR[]", "list", true],
      ["where", 'STRUCT("street no" INTEGER, "by" MAP(VARCHAR, UUID))', "struct", true],
    ]);
    expect(data.columns[2]).toMatchObject({ statistics: null, children: [{ name: "element", lake_type: "varchar" }] });
    expect(data).toMatchObject({ column_count: 4, created: { snapshot_id: 1 } });
  });

  it("puts a column's statistics together from its files, by the order of its type", async () => {
    const { get, writer } = await newCatalog();
    const file = (rows: number, min: string, max: string, nulls: number) =>
      writer.file("main", "t", rows, { statistics: [statistics(1, rows, bounds(min, max, nulls))] });
    await writer.commit([
      createTable("main", "t"),
      append("main", "t", file(10, "9", "20", 1), file(5, "10", "100", 2)),
    ]);
    expect((await get("/tables/main/t")).body.data.columns[0].statistics).toEqual({
      ...{ source: "catalog", exact: true, min: "9", max: "100", contains_null: true, contains_nan: null },
      ...{ value_count: 15, null_count: 3, bytes: 120 },
    });
  });

  it("calls bounds exact no longer once a row was deleted", async () => {
    const { get, writer } = await newCatalog();
    await writer.commit([
      createTable("main", "t"),
      append("main", "t", writer.file("main", "t", 10, { statistics: [statistics(1, 10, bounds("1", "9"))] })),
    ]);
    await writer.commit([deleteRows("main", "t", { dataFileId: 0, file: writer.deletes("main", "t", 1) })], {
      baseSnapshotId: 1,
    });
    expect((await get("/tables/main/t")).body.data.columns[0].statistics).toMatchObject({
      exact: false,
      min: "1",
      max: "9",
      null_count: 0,
    });
  });

  it("tells the bounds of the rows an overwrite left, not of those it took", async () => {
    const { get, writer } = await newCatalog();
    const file = (min: string, max: string) =>
      writer.file("main", "t", 10, { statistics: [statistics(1, 10, bounds(min, max))] });
    await writer.commit([createTable("main", "t"), append("main", "t", file("1", "1000"))]);
    await writer.commit([overwrite("main", "t", file("5", "6"))]);
    expect((await get("/tables/main/t")).body.data.columns[0].statistics).toMatchObject({
      exact: true,
      min: "5",
      max: "6",
      value_count: 10,
    });
  });

  it("claims no exactness it can't have: cut text, floats that may be NaN, files without statistics", async () => {
    const { get, writer } = await newCatalog();
    const columns = [
      column(1, "text", "varchar"),
      column(2, "cut", "varchar"),
      column(3, "float", "float64"),
      column(4, "sure", "float64"),
      column(5, "unknown"),
    ];
    const reported = [
      statistics(1, 4, bounds("a", "b")),
      statistics(2, 4, bounds("a", "b".repeat(256))),
      statistics(3, 4, bounds("1.0", "2.0")),
      statistics(4, 4, { ...bounds("1.0", "2.0"), containsNan: false }),
    ];
    await writer.commit([
      createTable("main", "t", columns),
      append("main", "t", writer.file("main", "t", 4, { statistics: reported })),
    ]);
    const { data } = (await get("/tables/main/t")).body;
    expect(data.columns.map(({ statistics: { exact } }: { statistics: { exact: boolean } }) => exact)).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(data.columns[4].statistics).toMatchObject({ min: null, max: null, value_count: null, contains_null: null });
  });

  it("knows nothing of a column's values in files older than the column", async () => {
    const { get, writer } = await newCatalog();
    await writer.commit([
      createTable("main", "t"),
      append("main", "t", writer.file("main", "t", 3, { statistics: [statistics(1, 3, bounds("1", "3"))] })),
    ]);
    await writer.commit([alter("main", "t", { kind: "add_column", column: column(2, "later") })]);
    await writer.commit([
      append(
        "main",
        "t",
        writer.file("main", "t", 2, {
          statistics: [statistics(1, 2, bounds("4", "5")), statistics(2, 2, bounds("7", "8"))],
        }),
      ),
    ]);
    const { data } = (await get("/tables/main/t")).body;
    expect(data.columns.map((shown: { statistics: object }) => shown.statistics)).toMatchObject([
      { exact: true, min: "1", max: "5" },
      { exact: false, min: null, max: null },
    ]);
  });

  it("takes no bounds from files of NULLs alone", async () => {
    const { get, writer } = await newCatalog();
    const file = (nulls: number, min: string | null, max: string | null) =>
      writer.file("main", "t", 3, { statistics: [statistics(1, 3, { min, max, nulls })] });
    await writer.commit([createTable("main", "t"), append("main", "t", file(3, null, null), file(0, "4", "6"))]);
    expect((await get("/tables/main/t")).body.data.columns[0].statistics).toMatchObject({
      exact: true,
      min: "4",
      max: "6",
      null_count: 3,
      contains_null: true,
    });
  });

  it("shows comments on tables and columns as they stand", async () => {
    const { get, writer, lake } = await newCatalog();
    await writer.commit([createTable("main", "t")]);
    await inside(lake, ({ storage }) => {
      storage.sql.exec(
        "INSERT INTO ducklake_tag VALUES (1, 1, 1, 'comment', 'old'), (1, 1, NULL, 'comment', 'a table'), (1, 1, NULL, 'other', 'x')",
      );
      storage.sql.exec("INSERT INTO ducklake_column_tag VALUES (1, 1, 1, NULL, 'comment', 'a column')");
    });
    expect((await get("/tables/main/t")).body.data).toMatchObject({
      comment: "a table",
      columns: [{ comment: "a column" }],
    });
    expect((await get("/tables")).body.data.items).toMatchObject([{ comment: "a table" }]);
  });

  it.each(["with space", "Größe", "a/b", 'quo"te', "50%", "?#&+", "☃", "it's", "%2F"])(
    "finds a table named %s, in any case of its letters",
    async (name) => {
      const { get, writer } = await newCatalog();
      await writer.commit([createTable(`S ${name}`, name, [column(1, name)])]);
      const otherCase =
        foldName(name) === name ? name.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : foldName(name);
      expect(await get(`/tables/${encodeURIComponent(`s ${name}`)}/${encodeURIComponent(otherCase)}`)).toMatchObject({
        status: 200,
        body: { data: { schema_name: `S ${name}`, table_name: name, columns: [{ name }] } },
      });
    },
  );

  it("tells bounds of booleans in words", async () => {
    const { get, writer } = await newCatalog();
    await writer.commit([
      createTable("main", "t", [column(1, "flag", "boolean")]),
      append("main", "t", writer.file("main", "t", 3, { statistics: [statistics(1, 3, bounds("0", "1"))] })),
    ]);
    expect((await get("/tables/main/t")).body.data.columns[0].statistics).toMatchObject({ min: "false", max: "true" });
  });

  it("answers what is missing alike: schema, table, broken name", async () => {
    const { get, writer } = await newCatalog();
    await writer.commit([createTable("main", "t")]);
    for (const path of [
      "/tables/main/none",
      "/tables/none/t",
      "/tables/main/%FF",
      "/tables/main/t%00",
      "/tables/main/t'--",
    ]) {
      expect(await get(path)).toMatchObject({ status: 404, body: { error: { code: "resource_not_found" } } });
    }
  });
});

const strangersPath = `/v4/catalog/integrations/${newId()}`;
refusesStrangers("listLakeTables", (key) => call("GET", `${strangersPath}/tables`, { key }), { right: "catalog:read" });
refusesStrangers("getLakeTable", (key) => call("GET", `${strangersPath}/tables/main/t`, { key }), {
  right: "catalog:read",
});
refusesStrangers("listTableSnapshots", (key) => call("GET", `${strangersPath}/tables/main/t/snapshots`, { key }), {
  right: "catalog:read",
});
refusesStrangers(
  "getColumnProfile",
  (key) => call("GET", `${strangersPath}/tables/main/t/columns/c/profile`, { key }),
  { right: "catalog:read" },
);
refusesStrangers("exportLakeCatalog", (key) => call("GET", `${strangersPath}/export`, { key }), {
  right: "integrations:write",
});
