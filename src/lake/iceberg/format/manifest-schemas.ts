// The Avro schemas of manifests and of manifest lists, of version 2 of Iceberg's format.
// https://iceberg.apache.org/spec/#manifests and https://iceberg.apache.org/spec/#manifest-lists

import type { AvroField, AvroRecord, AvroType } from "./avro.ts";

const required = (name: string, id: number, type: AvroType): AvroField => ({ name, "field-id": id, type });

const optional = (name: string, id: number, type: AvroType): AvroField => ({
  name,
  "field-id": id,
  default: null,
  type: ["null", type],
});

/** Avro's own maps have texts as keys, so one by column is a list of pairs. */
const byColumn = (name: string, id: number, [keyId, valueId]: [number, number], value: "long" | "bytes"): AvroField =>
  optional(name, id, {
    type: "array",
    logicalType: "map",
    items: {
      type: "record",
      name: `k${keyId}_v${valueId}`,
      fields: [required("key", keyId, "int"), required("value", valueId, value)],
    },
  });

const DATA_FILE: AvroRecord = {
  type: "record",
  name: "r2",
  fields: [
    required("content", 134, "int"),
    required("file_path", 100, "string"),
    required("file_format", 101, "string"),
    required("partition", 102, { type: "record", name: "r102", fields: [] }),
    required("record_count", 103, "long"),
    required("file_size_in_bytes", 104, "long"),
    byColumn("column_sizes", 108, [117, 118], "long"),
    byColumn("value_counts", 109, [119, 120], "long"),
    byColumn("null_value_counts", 110, [121, 122], "long"),
    byColumn("nan_value_counts", 137, [138, 139], "long"),
    byColumn("lower_bounds", 125, [126, 127], "bytes"),
    byColumn("upper_bounds", 128, [129, 130], "bytes"),
    optional("key_metadata", 131, "bytes"),
    optional("split_offsets", 132, { type: "array", items: "long", "element-id": 133 }),
    optional("equality_ids", 135, { type: "array", items: "int", "element-id": 136 }),
    optional("sort_order_id", 140, "int"),
    optional("referenced_data_file", 143, "string"),
  ],
};

export const MANIFEST_ENTRY: AvroRecord = {
  type: "record",
  name: "manifest_entry",
  fields: [
    required("status", 0, "int"),
    optional("snapshot_id", 1, "long"),
    optional("sequence_number", 3, "long"),
    optional("file_sequence_number", 4, "long"),
    required("data_file", 2, DATA_FILE),
  ],
};

const PARTITION_SUMMARY: AvroRecord = {
  type: "record",
  name: "r508",
  fields: [
    required("contains_null", 509, "boolean"),
    optional("contains_nan", 518, "boolean"),
    optional("lower_bound", 510, "bytes"),
    optional("upper_bound", 511, "bytes"),
  ],
};

export const MANIFEST_FILE: AvroRecord = {
  type: "record",
  name: "manifest_file",
  fields: [
    required("manifest_path", 500, "string"),
    required("manifest_length", 501, "long"),
    required("partition_spec_id", 502, "int"),
    required("content", 517, "int"),
    required("sequence_number", 515, "long"),
    required("min_sequence_number", 516, "long"),
    required("added_snapshot_id", 503, "long"),
    required("added_files_count", 504, "int"),
    required("existing_files_count", 505, "int"),
    required("deleted_files_count", 506, "int"),
    required("added_rows_count", 512, "long"),
    required("existing_rows_count", 513, "long"),
    required("deleted_rows_count", 514, "long"),
    optional("partitions", 507, { type: "array", "element-id": 508, items: PARTITION_SUMMARY }),
    optional("key_metadata", 519, "bytes"),
  ],
};
