import { describe, expect, it } from "vitest";
import type { ColumnProfile } from "../../../../kernel/wire/engine.ts";
import { completeFigures, figuresOfCatalog, sourceOf } from "../../../../src/features/catalog/profile.ts";
import type { BrowsedColumn } from "../../../../src/lake/browse/columns.ts";
import { append, column, createTable, deleteRows, statistics } from "../../../support/unit/lake.ts";
import { newCatalog } from "./browse.ts";

const columnWith = (more: Partial<NonNullable<BrowsedColumn["statistics"]>>): BrowsedColumn => {
  const known = {
    containsNull: true,
    containsNan: null,
    min: "1",
    max: "9",
    values: 10,
    nulls: 2,
    bytes: 80,
    exact: true,
    ...more,
  };
  return {
    id: 1,
    name: "c",
    type: "int64",
    sqlType: "BIGINT",
    nullable: true,
    comment: null,
    statistics: known,
    children: [],
  };
};

const LIVE: ColumnProfile = {
  ...{ rows: 10, values: 8, notFinite: null, min: "2", max: "8", distinct: { count: 5, exact: true } },
  top: { values: [{ value: "2", count: 4 }], exact: true },
  quantiles: [{ at: 0.5, value: "5" }],
  histogram: { buckets: [{ from: "2", to: "8", count: 8 }], exact: true },
  lacking: [],
};

describe("a profile's figures", () => {
  it("come from the catalog where it is exact, and from the query where it has none", () => {
    const figures = completeFigures(figuresOfCatalog(10, columnWith({})), LIVE);
    expect(figures).toMatchObject({
      row_count: { value: 10, source: "catalog", exact: true },
      null_count: { value: 2, source: "catalog", exact: true },
      null_share: { value: 0.2, source: "catalog", exact: true },
      min: { value: "1", source: "catalog", exact: true },
      distinct_count: { value: 5, source: "query", exact: true },
      top_values: { value: [{ value: "2", count: 4, share: 0.4 }], source: "query" },
      quantiles: { source: "query", exact: false },
      histogram: { source: "query", exact: true },
    });
    expect(sourceOf(figures)).toBe("catalog+query");
  });

  it("give way to the query's where the catalog has only bounds", () => {
    const figures = completeFigures(figuresOfCatalog(9, columnWith({ exact: false })), LIVE);
    expect(figures).toMatchObject({
      min: { value: "2", source: "query", exact: true },
      max: { value: "8", source: "query" },
      null_count: { value: 2, source: "query" },
    });
  });

  it("of the catalog alone say that bounds are bounds, and that how many NULLs are left is not known", () => {
    const figures = figuresOfCatalog(9, columnWith({ exact: false }));
    expect(figures).toMatchObject({
      min: { value: "1", source: "catalog", exact: false },
      null_count: null,
      null_share: null,
      row_count: { value: 9, exact: true },
    });
    expect(figuresOfCatalog(9, columnWith({ exact: false, nulls: 0 }))).toMatchObject({
      null_count: { value: 0, exact: true },
    });
    expect(sourceOf(figures)).toBe("catalog");
  });
});

describe("getColumnProfile", () => {
  const newTable = async () => {
    const catalog = await newCatalog();
    const { writer } = catalog;
    const file = writer.file("main", "T", 10, { statistics: [statistics(1, 10, { min: "1", max: "9", nulls: 2 })] });
    await writer.commit([createTable("main", "T", [column(1, "Größe %")]), append("main", "T", file)]);
    return catalog;
  };
  const path = `/tables/MAIN/t/columns/${encodeURIComponent("größe %".replace("gr", "GR"))}/profile`;

  it("answers the catalog's part alone where no live read can be had, and says so", async () => {
    // The engines of this ring can't reach the Worker under test.
    const { get, writer } = await newTable();
    const first = await get(path);
    expect(first).toMatchObject({
      status: 200,
      body: {
        data: {
          ...{
            schema_name: "main",
            table_name: "T",
            column_name: "Größe %",
            type: "BIGINT",
            snapshot_id: 1,
            source: "catalog",
            complete: false,
          },
          ...{
            row_count: { value: 10 },
            null_share: { value: 0.2 },
            min: { value: "1", source: "catalog", exact: true },
            distinct_count: null,
            histogram: null,
          },
        },
      },
    });
    expect(first.body.data.notes).toEqual([expect.stringContaining("live read")]);
    await writer.commit([deleteRows("main", "T", { dataFileId: 0, file: writer.deletes("main", "T", 1) })], {
      baseSnapshotId: 1,
    });
    expect((await get(path)).body.data).toMatchObject({
      row_count: { value: 9, exact: true },
      min: { value: "1", exact: false },
      null_count: null,
    });
  });

  it("asks no engine about a table without rows", async () => {
    const { get, writer } = await newCatalog();
    await writer.commit([createTable("main", "t")]);
    expect((await get("/tables/main/t/columns/id/profile")).body.data).toMatchObject({
      source: "catalog",
      complete: true,
      row_count: { value: 0 },
    });
  });

  it("finds only columns that are there, at the top", async () => {
    const { get, writer } = await newCatalog();
    await writer.commit([createTable("main", "t", [column(1, "s", "struct", [column(2, "inner")])])]);
    for (const name of ["none", "inner", "s.inner", "%00"]) {
      expect(await get(`/tables/main/t/columns/${name}/profile`)).toMatchObject({
        status: 404,
        body: { error: { code: "resource_not_found" } },
      });
    }
    expect((await get("/tables/main/none/columns/s/profile")).status).toBe(404);
  });
});
