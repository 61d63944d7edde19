// Columns of the lake become fields of an Iceberg schema, where Iceberg has a type that every engine reads exactly from
// the Parquet files. Other columns are left out. Pure.

import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import { decimalDigits, SCALAR_TYPES, type ScalarName } from "../../../../kernel/lake/lake-types.ts";

type Nested =
  | { type: "struct"; fields: IcebergField[] }
  | { type: "list"; "element-id": number; element: IcebergType; "element-required": false }
  | {
      type: "map";
      "key-id": number;
      key: IcebergType;
      "value-id": number;
      value: IcebergType;
      "value-required": false;
    };
export type IcebergType = string | Nested;
export type IcebergField = { id: number; name: string; required: false; type: IcebergType };

/** The types of version 2 of Iceberg's format; null where it has none, or an engine would read other values. */
const TYPES: Record<ScalarName, string | null> = {
  boolean: "boolean",
  int8: "int",
  int16: "int",
  int32: "int",
  int64: "long",
  // Parquet has no whole number of 128 bits, so the files hold doubles.
  int128: null,
  uint8: "int",
  uint16: "int",
  // Engines read the 32 bits with a sign, which turns the upper half negative without an error.
  uint32: null,
  uint64: null,
  uint128: null,
  float32: "float",
  float64: "double",
  date: "date",
  time: "time",
  timetz: null,
  timestamp: "timestamp",
  timestamp_s: "timestamp",
  timestamp_ms: "timestamp",
  // Nanoseconds came with version 3.
  timestamp_ns: null,
  timestamptz: "timestamptz",
  interval: null,
  varchar: "string",
  json: "string",
  blob: "binary",
  uuid: "uuid",
};

/**
 * Which columns an engine can take. `spark`: without those of type `time`, for each of which Spark refuses the whole
 * table. Columns with children are left out too where a table has or had one of {@link FAILING_BY_ROW}: Spark reads
 * columns with children row by row, and that reader fails at such a type anywhere in a file.
 */
export const PROFILES = ["full", "spark"] as const;
export type Profile = (typeof PROFILES)[number];

/** Types whose names in Parquet are unknown to Spark's reader of rows. */
export const FAILING_BY_ROW: readonly ScalarName[] = ["time", "uint8", "uint16", "uint32", "uint64"];

/** The Iceberg type of a lake's column, undefined where there is none. */
export function icebergType({ type, children }: Pick<LakeColumn, "type" | "children">): IcebergType | undefined {
  if (Object.hasOwn(SCALAR_TYPES, type)) return TYPES[type as ScalarName] ?? undefined;
  const digits = decimalDigits(type);
  if (digits) return `decimal(${digits.precision},${digits.scale})`;
  return nestedType(type, children);
}

function nestedType(type: string, children: readonly LakeColumn[]): IcebergType | undefined {
  const fields = children.map(fieldOf);
  if (fields.includes(undefined)) return undefined;
  const [first, second] = fields as IcebergField[];
  if (type === "struct") return { type: "struct", fields: fields as IcebergField[] };
  if (type === "list" && first)
    return { type: "list", "element-id": first.id, element: first.type, "element-required": false };
  if (type === "map" && first && second)
    return {
      ...{ type: "map", "key-id": first.id, key: first.type },
      ...{ "value-id": second.id, value: second.type, "value-required": false },
    };
  return undefined;
}

function fieldOf(column: LakeColumn): IcebergField | undefined {
  const type = icebergType(column);
  return type === undefined ? undefined : { id: column.id, name: column.name, required: false, type };
}

/** `failsByRow`: the table has or had a column of one of {@link FAILING_BY_ROW}, children included. */
export type ProfiledTable = { profile: Profile; failsByRow: boolean };

/** The fields of columns, and the names of those columns that are left out. */
export function icebergFields(
  columns: readonly LakeColumn[],
  { profile, failsByRow }: ProfiledTable,
): { fields: IcebergField[]; hidden: string[] } {
  const isHidden = ({ type, children }: LakeColumn): boolean =>
    profile === "spark" && (type === "time" || (failsByRow && children.length > 0));
  const found = columns.map((column) => ({ name: column.name, field: isHidden(column) ? undefined : fieldOf(column) }));
  return {
    fields: found.flatMap(({ field }) => field ?? []),
    hidden: found.flatMap(({ name, field }) => (field ? [] : [name])),
  };
}
