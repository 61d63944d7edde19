import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createTable, newLake, newWriter, rowsOf } from "../../../support/unit/lake.ts";
import { undoLayouts } from "./lake-layouts.ts";

/** Tables and columns of the DuckLake 1.0 specification: b BIGINT, v VARCHAR, ! NOT NULL, key BIGINT PRIMARY KEY. */
const SPECIFICATION: Record<string, string> = {
  column:
    "column_id b, begin_snapshot b, end_snapshot b, table_id b, column_order b, column_name v, column_type v, initial_default v, default_value v, nulls_allowed bool, parent_column b, default_value_type v, default_value_dialect v",
  column_mapping: "mapping_id b, table_id b, type v",
  column_tag: "table_id b, column_id b, begin_snapshot b, end_snapshot b, key v, value v",
  data_file:
    "data_file_id key, table_id b, begin_snapshot b, end_snapshot b, file_order b, path v, path_is_relative bool, file_format v, record_count b, file_size_bytes b, footer_size b, row_id_start b, partition_id b, encryption_key v, mapping_id b, partial_max b",
  delete_file:
    "delete_file_id key, table_id b, begin_snapshot b, end_snapshot b, data_file_id b, path v, path_is_relative bool, format v, delete_count b, file_size_bytes b, footer_size b, encryption_key v, partial_max b",
  file_column_stats:
    "data_file_id b, table_id b, column_id b, column_size_bytes b, value_count b, null_count b, min_value v, max_value v, contains_nan bool, extra_stats v",
  file_partition_value: "data_file_id b, table_id b, partition_key_index b, partition_value v",
  file_variant_stats:
    "data_file_id b, table_id b, column_id b, variant_path v, shredded_type v, column_size_bytes b, value_count b, null_count b, min_value v, max_value v, contains_nan bool, extra_stats v",
  files_scheduled_for_deletion: "data_file_id b, path v, path_is_relative bool, schedule_start time",
  inlined_data_tables: "table_id b, table_name v, schema_version b",
  macro: "schema_id b, macro_id b, macro_name v, begin_snapshot b, end_snapshot b",
  macro_impl: "macro_id b, impl_id b, dialect v, sql v, type v",
  macro_parameters:
    "macro_id b, impl_id b, column_id b, parameter_name v, parameter_type v, default_value v, default_value_type v",
  metadata: "key v!, value v!, scope v, scope_id b",
  name_mapping: "mapping_id b, column_id b, source_name v, target_field_id b, parent_column b, is_partition bool",
  partition_column: "partition_id b, table_id b, partition_key_index b, column_id b, transform v",
  partition_info: "partition_id b, table_id b, begin_snapshot b, end_snapshot b",
  schema:
    "schema_id key, schema_uuid uuid, begin_snapshot b, end_snapshot b, schema_name v, path v, path_is_relative bool",
  schema_versions: "begin_snapshot b, schema_version b, table_id b",
  snapshot: "snapshot_id key, snapshot_time time, schema_version b, next_catalog_id b, next_file_id b",
  snapshot_changes: "snapshot_id key, changes_made v, author v, commit_message v, commit_extra_info v",
  sort_expression: "sort_id b, table_id b, sort_key_index b, expression v, dialect v, sort_direction v, null_order v",
  sort_info: "sort_id b, table_id b, begin_snapshot b, end_snapshot b",
  table:
    "table_id b, table_uuid uuid, begin_snapshot b, end_snapshot b, schema_id b, table_name v, path v, path_is_relative bool",
  table_column_stats:
    "table_id b, column_id b, contains_null bool, contains_nan bool, min_value v, max_value v, extra_stats v",
  table_stats: "table_id b, record_count b, next_row_id b, file_size_bytes b",
  tag: "object_id b, begin_snapshot b, end_snapshot b, key v, value v",
  view: "view_id b, view_uuid uuid, begin_snapshot b, end_snapshot b, schema_id b, view_name v, dialect v, sql v, column_aliases v",
};

/** In SQLite a boolean is 0 or 1, and a UUID and an instant are text, as DuckDB's own SQLite catalogs have them. */
const SQLITE: Record<string, { type: string; notnull: number; pk: number }> = {
  b: { type: "BIGINT", notnull: 0, pk: 0 },
  key: { type: "BIGINT", notnull: 0, pk: 1 },
  v: { type: "VARCHAR", notnull: 0, pk: 0 },
  "v!": { type: "VARCHAR", notnull: 1, pk: 0 },
  bool: { type: "BIGINT", notnull: 0, pk: 0 },
  uuid: { type: "VARCHAR", notnull: 0, pk: 0 },
  time: { type: "VARCHAR", notnull: 0, pk: 0 },
};

describe("a catalog", () => {
  it.each(Object.entries(SPECIFICATION))("lays out ducklake_%s as the specification does", async (table, columns) => {
    const lake = newLake();
    await lake.catalog.currentSnapshot();
    const found = await rowsOf(lake, `SELECT name, type, "notnull", pk FROM pragma_table_info('ducklake_${table}')`);
    expect(found).toEqual(
      columns.split(", ").map((column) => {
        const [name = "", type = ""] = column.split(" ");
        return { name, ...SQLITE[type] };
      }),
    );
  });

  it("holds DuckLake's tables, and its own under a name of their own", async () => {
    const lake = newLake();
    await lake.catalog.currentSnapshot();
    const tables = await rowsOf(
      lake,
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
    );
    const names = tables.map(({ name }) => String(name)).filter((name) => !name.startsWith("sqlite_"));
    expect(names.filter((name) => !name.startsWith("fjord_"))).toEqual(
      Object.keys(SPECIFICATION)
        .map((name) => `ducklake_${name}`)
        .sort(),
    );
  });

  it("begins with an empty schema main at snapshot 0", async () => {
    const lake = newLake();
    expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: 0 });
    expect(await lake.catalog.describe(0, "everything")).toEqual({
      ok: true,
      value: { snapshotId: 0, schemas: ["main"], tables: [] },
    });
    expect(
      await rowsOf(
        lake,
        "SELECT key, value FROM ducklake_metadata WHERE key IN ('version', 'encrypted', 'data_path') ORDER BY key",
      ),
    ).toEqual([
      { key: "data_path", value: "./" },
      { key: "encrypted", value: "false" },
      { key: "version", value: "1.0" },
    ]);
    expect(await rowsOf(lake, "SELECT changes_made FROM ducklake_snapshot_changes")).toEqual([
      { changes_made: 'created_schema:"main"' },
    ]);
  });

  it("of a layout this version does not know refuses to be opened", async () => {
    const lake = newLake();
    await lake.catalog.currentSnapshot();
    await rowsOf(lake, "UPDATE fjord_layout SET version = 99");
    await evictDurableObject(lake.catalog);
    await expect(async () => await lake.catalog.currentSnapshot()).rejects.toThrow("layout 99");
  });

  it.each([1, 2, 3, 4, 5, 6])(
    "of layout %i is brought up to date in place, and keeps what it holds",
    async (version) => {
      const lake = newLake();
      const { lease, fence } = (await newWriter(lake)).token;
      await (await newWriter(lake, "other")).commit([createTable("main", "t")]);
      const layout = `SELECT sql AS name FROM sqlite_master WHERE name LIKE 'fjord%' AND name <> 'fjord_leases'
      UNION ALL SELECT version FROM fjord_layout UNION ALL SELECT name FROM pragma_table_info('fjord_leases') ORDER BY name`;
      const now = await rowsOf(lake, layout);
      for (const sql of undoLayouts(version)) await rowsOf(lake, sql);
      expect(await rowsOf(lake, layout)).not.toEqual(now);
      await evictDurableObject(lake.catalog);
      expect(await lake.catalog.describe(1, "everything")).toMatchObject({
        ok: true,
        value: { tables: [{ name: "t" }] },
      });
      expect(await lake.catalog.isAlive(lease, fence)).toBe(true);
      expect(await rowsOf(lake, layout)).toEqual(now);
    },
  );

  it("keeps what it holds when its object is evicted", async () => {
    const lake = newLake();
    await (await newWriter(lake)).commit([createTable("main", "t")]);
    await evictDurableObject(lake.catalog);
    expect(await lake.catalog.describe(1, "everything")).toMatchObject({
      ok: true,
      value: { tables: [{ name: "t" }] },
    });
  });
});
