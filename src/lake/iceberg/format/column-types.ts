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
 * How an engine takes the types. `spark`: where Spark, or the reader that Iceberg has for it, takes one otherwise than
 * it lies in the files, {@link IN_SPARK} has another type or leaves the column out. Columns with children are left out
 * too where a table has or had one of {@link FAILING_BY_ROW}: Spark reads columns with children row by row, and that
 * reader fails at such a type anywhere in a file.
 */
export const PROFILES = ["full", "spark"] as const;
export type Profile = (typeof PROFILES)[number];

const IN_SPARK: Partial<Record<ScalarName, string | null>> = {
  // Spark refuses the whole table for one such column.
  time: null,
  // The reader fails where a file keeps their values in a dictionary.
  uint8: null,
  uint16: null,
  // The files count milliseconds. The reader takes them for microseconds where it prunes, and in dictionaries.
  timestamp_ms: null,
  // The reader compares the halves of a UUID with signs where it prunes: of values on both sides of 8… it finds none.
  // It compares the same bytes rightly where they are no UUID.
  uuid: "fixed[16]",
};

const TYPES_OF: Record<Profile, Record<ScalarName, string | null>> = { full: TYPES, spark: { ...TYPES, ...IN_SPARK } };

/** Types whose names in Parquet are unknown to Spark's reader of rows. */
export const FAILING_BY_ROW: readonly ScalarName[] = ["time", "uint8", "uint16", "uint32", "uint64"];

/** The Iceberg type of a lake's column, undefined where there is none. */
export function icebergType(
  { type, children }: Pick<LakeColumn, "type" | "children">,
  profile: Profile,
): IcebergType | undefined {
  if (Object.hasOwn(SCALAR_TYPES, type)) return TYPES_OF[profile][type as ScalarName] ?? undefined;
  const digits = decimalDigits(type);
  if (digits) return `decimal(${digits.precision},${digits.scale})`;
  return nestedType(type, children, profile);
}

function nestedType(type: string, children: readonly LakeColumn[], profile: Profile): IcebergType | undefined {
  const fields = children.map((child) => fieldOf(child, profile));
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

function fieldOf(column: LakeColumn, profile: Profile): IcebergField | undefined {
  const type = icebergType(column, profile);
  return type === undefined ? undefined : { id: column.id, name: column.name, required: false, type };
}

/** `failsByRow`: the table has or had a column of one of {@link FAILING_BY_ROW}, children included. */
export type ProfiledTable = { profile: Profile; failsByRow: boolean };

/** The fields of columns, and the names of those columns that are left out. */
export function icebergFields(
  columns: readonly LakeColumn[],
  { profile, failsByRow }: ProfiledTable,
): { fields: IcebergField[]; hidden: string[] } {
  const isUnread = ({ children }: LakeColumn): boolean => profile === "spark" && failsByRow && children.length > 0;
  const found = columns.map((column) => ({
    name: column.name,
    field: isUnread(column) ? undefined : fieldOf(column, profile),
  }));
  return {
    fields: found.flatMap(({ field }) => field ?? []),
    hidden: found.flatMap(({ name, field }) => (field ? [] : [name])),
  };
}
