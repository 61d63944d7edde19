// A table's metadata as Iceberg's JSON, of version 2 of the format. Pure.
// https://iceberg.apache.org/spec/#table-metadata

import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import { icebergFields, type IcebergField, type ProfiledTable } from "./column-types.ts";

/** What a snapshot did to the table's rows. `replace`: the files are others, or the columns, and the rows the same. */
export const ICEBERG_OPERATIONS = ["append", "delete", "overwrite", "replace"] as const;
export type IcebergOperation = (typeof ICEBERG_OPERATIONS)[number];

/** What the table has at a snapshot: rows as its data files hold them, and how many of those are deleted. */
export type SnapshotFacts = {
  operation: IcebergOperation;
  rows: number;
  deletedRows: number;
  bytes: number;
  dataFiles: number;
  deleteFiles: number;
};

export type IcebergSnapshot = {
  snapshotId: number;
  atMs: number;
  schemaId: number;
  list: string;
  facts: SnapshotFacts;
};

export type IcebergSchema = { schemaId: number; columns: readonly LakeColumn[] };

/**
 * `location` is the folder's whole address, without a slash at its end. `snapshots` begin with the oldest, and there is
 * at least one.
 */
export type DescribedTable = ProfiledTable & {
  uuid: string;
  location: string;
  lastColumnId: number;
  schemas: readonly IcebergSchema[];
  snapshots: readonly [IcebergSnapshot, ...IcebergSnapshot[]];
};

/** The names of columns that are left out, as a JSON list. */
export const HIDDEN_COLUMNS = "fjord.hidden-columns";

export type TableMetadata = ReturnType<typeof tableMetadata>;

export function tableMetadata({ profile, failsByRow, ...table }: DescribedTable) {
  const newest = table.snapshots.at(-1)!;
  const profiled = { profile, failsByRow };
  const current = table.schemas.find(({ schemaId }) => schemaId === newest.schemaId);
  const { hidden } = icebergFields(current?.columns ?? [], profiled);
  return {
    "format-version": 2,
    "table-uuid": table.uuid,
    location: table.location,
    "last-sequence-number": newest.snapshotId,
    "last-updated-ms": newest.atMs,
    "last-column-id": table.lastColumnId,
    "current-schema-id": newest.schemaId,
    schemas: table.schemas.map((schema) => schemaDocument(schema, profiled)),
    "default-spec-id": 0,
    "partition-specs": [{ "spec-id": 0, fields: [] }],
    // The first partition field would be 1,000.
    "last-partition-id": 999,
    "default-sort-order-id": 0,
    "sort-orders": [{ "order-id": 0, fields: [] }],
    properties: hidden.length > 0 ? { [HIDDEN_COLUMNS]: JSON.stringify(hidden) } : {},
    "current-snapshot-id": newest.snapshotId,
    refs: { main: { "snapshot-id": newest.snapshotId, type: "branch" } },
    snapshots: table.snapshots.map((snapshot, index) => snapshotDocument(snapshot, table.snapshots[index - 1])),
    "snapshot-log": table.snapshots.map(({ snapshotId, atMs }) => ({
      "snapshot-id": snapshotId,
      "timestamp-ms": atMs,
    })),
    "metadata-log": [],
  };
}

export type SchemaDocument = {
  type: "struct";
  "schema-id": number;
  "identifier-field-ids": never[];
  fields: IcebergField[];
};

export const schemaDocument = ({ schemaId, columns }: IcebergSchema, profiled: ProfiledTable): SchemaDocument => ({
  type: "struct",
  "schema-id": schemaId,
  "identifier-field-ids": [],
  fields: icebergFields(columns, profiled).fields,
});

function snapshotDocument(
  { snapshotId, atMs, schemaId, list, facts }: IcebergSnapshot,
  parent: IcebergSnapshot | undefined,
) {
  return {
    "snapshot-id": snapshotId,
    ...(parent && { "parent-snapshot-id": parent.snapshotId }),
    "sequence-number": snapshotId,
    "timestamp-ms": atMs,
    "manifest-list": list,
    "schema-id": schemaId,
    summary: {
      operation: facts.operation,
      "total-records": String(facts.rows),
      "total-files-size": String(facts.bytes),
      "total-data-files": String(facts.dataFiles),
      "total-delete-files": String(facts.deleteFiles),
      "total-position-deletes": String(facts.deletedRows),
      "total-equality-deletes": "0",
    },
  };
}
