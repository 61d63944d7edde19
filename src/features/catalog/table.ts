// The nouns of the catalog: tables, columns and snapshots as the wire has them.

import { z } from "@hono/zod-openapi";
import { orNull } from "../../http/answer.ts";
import { OPERATIONS, type TableSnapshot as BrowsedSnapshot } from "../../lake/browse/snapshots.ts";
import type { BrowsedColumn } from "../../lake/browse/columns.ts";
import type { TableSummary } from "../../lake/browse/tables.ts";
import { shownBy } from "../../http/shown-by.ts";

const Touch = z
  .object({
    snapshot_id: z.number().int(),
    at: z.iso.datetime().nullable().openapi({ description: "Null once the snapshot has expired." }),
  })
  .openapi("TableTouch");

const summary = {
  schema_name: z.string(),
  table_name: z.string(),
  comment: z.string().nullable(),
  row_count: z
    .number()
    .int()
    .nullable()
    .openapi({
      description:
        "Rows a query sees now: those of the data files without the deleted ones. Null where some are hidden to you.",
    }),
  bytes: z
    .number()
    .int()
    .nullable()
    .openapi({
      description:
        "Of data and delete files. Null, as the two counts that follow, where a part of the table is hidden to you.",
    }),
  file_count: z.number().int().nullable().openapi({ description: "Data files." }),
  delete_file_count: z.number().int().nullable(),
  column_count: z.number().int().openapi({ description: "Top-level columns that you may see." }),
  last_change: Touch,
};
export const LakeTable = z.object(summary).openapi("LakeTable");
export type LakeTable = z.infer<typeof LakeTable>;

const ColumnStatistics = z
  .object({
    source: z.literal("catalog"),
    exact: z
      .boolean()
      .openapi({
        description:
          "True: the figures are those of the rows as they are. False: `min` and `max` are only bounds and counts " +
          "only upper limits, since rows were deleted or a bound may be cut.",
      }),
    min: z.string().nullable().openapi({ description: "As text; null where unknown." }),
    max: z.string().nullable(),
    contains_null: z.boolean().nullable(),
    contains_nan: z.boolean().nullable(),
    value_count: z.number().int().nullable().openapi({ description: "NULLs included; in a list or map, of elements." }),
    null_count: z.number().int().nullable(),
    bytes: z.number().int().nullable().openapi({ description: "Compressed, in the data files." }),
  })
  .openapi("ColumnStatistics");

export type LakeColumn = {
  name: string;
  type: string;
  lake_type: string;
  nullable: boolean;
  comment: string | null;
  statistics: z.infer<typeof ColumnStatistics> | null;
  children: LakeColumn[];
};
const column = {
  name: z.string(),
  type: z.string().openapi({ description: "As in SQL.", example: "DECIMAL(18,2)" }),
  lake_type: z.string().openapi({ description: "As in the catalog.", example: "decimal(18,2)" }),
  nullable: z.boolean(),
  comment: z.string().nullable(),
  statistics: orNull(ColumnStatistics).openapi({
    description: "Null for a nested column, whose leaves have them, and where values are hidden to you.",
  }),
};
export const LakeColumn: z.ZodType<LakeColumn> = z
  .object({
    ...column,
    children: z
      .lazy(() => z.array(LakeColumn))
      .openapi({ type: "array", items: { $ref: "#/components/schemas/LakeColumn" } }),
  })
  .openapi("LakeColumn");

export const LakeTableDetail = z
  .object({ ...summary, created: Touch, columns: z.array(LakeColumn) })
  .openapi("LakeTableDetail");
export type LakeTableDetail = z.infer<typeof LakeTableDetail>;

const ColumnChange = z
  .object({
    change: z.enum(["added", "dropped", "altered"]),
    name: z.string(),
    lake_type: z.string(),
    before: orNull(z.object({ name: z.string(), lake_type: z.string() }).openapi("ColumnBefore")),
  })
  .openapi("ColumnChange");

export const TableSnapshot = z
  .object({
    snapshot_id: z.number().int(),
    at: z.iso.datetime(),
    author: z.string().nullable(),
    message: z.string().nullable().openapi({ description: "Null to whom roles bind: it may speak of any table." }),
    operation: z
      .enum(OPERATIONS)
      .nullable()
      .openapi({
        description: "Null, as the numbers that follow, where it would tell of rows or columns that are hidden to you.",
      }),
    changes: z
      .array(z.string())
      .openapi({
        description: "DuckLake's own words for what was done to this table.",
        example: ["inserted_into_table"],
      }),
    rows_added: z.number().int().nullable(),
    rows_removed: z
      .number()
      .int()
      .nullable()
      .openapi({ description: "An updated row counts as removed and added; a compaction moves none." }),
    bytes_added: z.number().int().nullable(),
    bytes_removed: z.number().int().nullable(),
    files_added: z.number().int().nullable(),
    files_removed: z.number().int().nullable(),
    columns_changed: z.array(ColumnChange),
  })
  .openapi("TableSnapshot");
export type TableSnapshot = z.infer<typeof TableSnapshot>;

export function showTable({
  schema,
  name,
  comment,
  rows,
  bytes,
  files,
  deleteFiles,
  columns,
  changed,
}: TableSummary): LakeTable {
  const sizes = { row_count: rows, bytes, file_count: files, delete_file_count: deleteFiles, column_count: columns };
  return {
    schema_name: schema,
    table_name: name,
    comment,
    ...sizes,
    last_change: { snapshot_id: changed.snapshotId, at: changed.at },
  };
}

export const showTableDetail = (table: TableSummary, columns: BrowsedColumn[]): LakeTableDetail => ({
  ...showTable(table),
  created: { snapshot_id: table.created.snapshotId, at: table.created.at },
  columns: columns.map(showColumn),
});

function showColumn({ name, type, sqlType, nullable, comment, statistics, children }: BrowsedColumn): LakeColumn {
  const shown =
    statistics &&
    shownBy(ColumnStatistics, statistics, {
      source: "catalog",
      value_count: statistics.values,
      null_count: statistics.nulls,
    });
  return {
    name,
    type: sqlType,
    lake_type: type,
    nullable,
    comment,
    statistics: shown,
    children: children.map(showColumn),
  };
}

export function showSnapshot(snapshot: BrowsedSnapshot): TableSnapshot {
  const altered = snapshot.columns.map(({ change, name, type, before }) => ({
    change,
    name,
    lake_type: type,
    before: before && { name: before.name, lake_type: before.type },
  }));
  return shownBy(TableSnapshot, snapshot, { columns_changed: altered });
}
