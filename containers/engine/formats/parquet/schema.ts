// Arrow's types as Parquet's: the elements of a file's schema, and the columns of values that they come down to.

import { DataType, type Field, type Schema } from "apache-arrow";
import {
  BOOLEAN,
  BYTE_ARRAY,
  DATE,
  DECIMAL,
  DOUBLE,
  FIXED_LEN_BYTE_ARRAY,
  FLOAT,
  INT32,
  INT64,
  LIST,
  MAP,
  OPTIONAL,
  REPEATED,
  REQUIRED,
  TIMESTAMP_MICROS,
  UINT_32,
  UINT_64,
  UTF8,
} from "../../parquet/pages.ts";
import type { ThriftStruct } from "../../parquet/thrift-compact.ts";

/** A column of values, with the greatest of its levels. `physical`: Parquet's number of its type. */
export type LeafColumn = { type: DataType; physical: number; path: string[]; definition: number; repetition: number };

type Levels = { definition: number; repetition: number };

/** The elements stand in depth-first order, and so do the columns. */
export function columnsOf({ fields }: Schema): { elements: ThriftStruct[]; columns: LeafColumn[] } {
  const columns: LeafColumn[] = [];
  const root = element({ name: "schema", children: fields.length });
  const top = { definition: 0, repetition: 0 };
  const elements = fields.flatMap((field) => elementsOf(field, field.name, { path: [], levels: top, columns }));
  return { elements: [root, ...elements], columns };
}

type Place = { path: string[]; levels: Levels; columns: LeafColumn[] };

/** `name`: in Parquet, whose lists and maps have names of their own for their parts. */
function elementsOf({ type, nullable }: Field, name: string, place: Place): ThriftStruct[] {
  const repetition = nullable ? OPTIONAL : REQUIRED;
  const own = { ...place.levels, definition: place.levels.definition + (nullable ? 1 : 0) };
  const path = [...place.path, name];
  const within = { ...place, path, levels: own };
  if (DataType.isStruct(type))
    return [
      element({ name, repetition, children: type.children.length }),
      ...type.children.flatMap((member) => elementsOf(member, member.name, within)),
    ];
  const [part] = (type.children ?? []) as Field[];
  if (!part) return [leaf(type as DataType, { name, repetition }, within)];
  const repeated = { definition: own.definition + 1, repetition: own.repetition + 1 };
  const isMap = DataType.isMap(type);
  const group = isMap ? "key_value" : "list";
  const inner = { ...place, path: [...path, group], levels: repeated };
  const parts = isMap ? (part.type as DataType & { children: Field[] }).children : [part];
  return [
    element({ name, repetition, children: 1, ...(isMap ? MAP_KIND : LIST_KIND) }),
    element({ name: group, repetition: REPEATED, children: parts.length }),
    ...parts.flatMap((each) => elementsOf(each, isMap ? each.name : "element", inner)),
  ];
}

function leaf(type: DataType, { name, repetition }: Named, { path, levels, columns }: Place): ThriftStruct {
  const kind = kindOf(type);
  columns.push({ type, physical: kind.physical, path, ...levels });
  return element({ name, repetition, ...kind });
}

type Named = { name: string; repetition?: number | undefined };

/** `logical`: a member of the union of logical types, under its number. */
type ParquetType = {
  physical: number;
  width?: number;
  converted?: number;
  scale?: number;
  precision?: number;
  logical?: ThriftStruct;
};

const element = (part: Named & Partial<ParquetType> & { children?: number }): ThriftStruct => ({
  1: part.physical,
  2: part.width,
  3: part.repetition,
  4: part.name,
  5: part.children,
  6: part.converted,
  7: part.scale,
  8: part.precision,
  10: part.logical,
});

const MAP_KIND = { converted: MAP, logical: { 2: {} } } as const;
const LIST_KIND = { converted: LIST, logical: { 3: {} } } as const;
const TEXT: ParquetType = { physical: BYTE_ARRAY, converted: UTF8, logical: { 1: {} } };
const MICROS: ThriftStruct = { 2: {} };
/** Bytes of a decimal, whatever its digits. */
export const DECIMAL_BYTES = 16;

/** The Arrow types that a result's columns and their parts have; see `formats/arrow/schema.ts`. */
function kindOf(type: DataType): ParquetType {
  if (DataType.isBool(type)) return { physical: BOOLEAN };
  if (DataType.isUtf8(type) || DataType.isDictionary(type)) return TEXT;
  if (DataType.isBinary(type)) return { physical: BYTE_ARRAY };
  if (DataType.isInt(type)) {
    const isWide = type.bitWidth === 64;
    const converted = isWide ? UINT_64 : UINT_32;
    return { physical: isWide ? INT64 : INT32, ...(type.isSigned ? {} : { converted }) };
  }
  if (DataType.isFloat(type)) return { physical: type.ArrayType === Float32Array ? FLOAT : DOUBLE };
  if (DataType.isDecimal(type)) {
    const { scale, precision } = type;
    const digits = { converted: DECIMAL, scale, precision, logical: { 5: { 1: scale, 2: precision } } };
    return { physical: FIXED_LEN_BYTE_ARRAY, width: DECIMAL_BYTES, ...digits };
  }
  if (DataType.isDate(type)) return { physical: INT32, converted: DATE, logical: { 6: {} } };
  if (DataType.isTime(type)) return { physical: INT64, logical: { 7: { 1: false, 2: MICROS } } };
  if (!DataType.isTimestamp(type)) throw new Error(`No column of a result has Arrow's type ${String(type)}.`);
  const isUtc = type.timezone !== null && type.timezone !== undefined;
  return { physical: INT64, ...(isUtc && { converted: TIMESTAMP_MICROS }), logical: { 8: { 1: isUtc, 2: MICROS } } };
}
