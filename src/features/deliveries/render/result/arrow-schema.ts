// The columns of an Arrow stream: their types, as far as results have them.

import { RENDER_BOUNDS } from "../bounds.ts";
import type { FlatTable } from "./flatbuffer.ts";
import { damaged, UnreadableResult } from "./unreadable.ts";

/** `digits`: how many of a second's fraction a unit has: 0, 3, 6 or 9. */
export type ArrowType =
  | { id: "null" | "boolean" | "struct" }
  | { id: "int"; bits: 8 | 16 | 32 | 64; isSigned: boolean }
  | { id: "float"; bits: 16 | 32 | 64 }
  | { id: "text" | "binary" | "list" | "map"; isLarge: boolean }
  | { id: "fixedBinary"; bytes: number }
  | { id: "fixedList"; size: number }
  | { id: "decimal"; bits: 32 | 64 | 128 | 256; scale: number }
  | { id: "date"; isMillis: boolean }
  | { id: "time"; bits: 32 | 64; digits: number }
  | { id: "timestamp"; digits: number; isZoned: boolean }
  | { id: "duration"; digits: number }
  | { id: "interval"; unit: "months" | "dayMillis" | "monthDayNanos" };

export type ArrowField = {
  name: string;
  /** That of the values; a column with a dictionary has `dictionary.indices` in its batches. */
  type: ArrowType;
  children: ArrowField[];
  dictionary: { id: bigint; indices: ArrowType } | undefined;
  metadata: ReadonlyMap<string, string>;
};

const FIELD = { name: 0, typeId: 2, type: 3, dictionary: 4, children: 5, metadata: 6 } as const;

/** Reads the fields of a schema message. Nested lists may name one field many times over, so all are counted. */
export function readSchema(schema: FlatTable): ArrowField[] {
  if (schema.int16(0) !== 0) throw new UnreadableResult("unsupported", "The result is written in big-endian order.");
  const count = { fields: 0 };
  return fieldsOf(schema, 1, 0, count);
}

function fieldsOf(parent: FlatTable, slot: number, depth: number, count: { fields: number }): ArrowField[] {
  count.fields += parent.entries(slot, 4)?.length ?? 0;
  if (count.fields > RENDER_BOUNDS.resultFieldsMax)
    throw new UnreadableResult("too_large", `The result has more than ${RENDER_BOUNDS.resultFieldsMax} columns.`);
  if (depth > RENDER_BOUNDS.nestingMax)
    throw new UnreadableResult("too_large", `The result nests deeper than ${RENDER_BOUNDS.nestingMax} levels.`);
  return parent.tables(slot).map((field) => readField(field, depth, count));
}

function readField(field: FlatTable, depth: number, count: { fields: number }): ArrowField {
  const name = field.text(FIELD.name) ?? "";
  const children = fieldsOf(field, FIELD.children, depth + 1, count);
  const type = readType(field.uint8(FIELD.typeId), field.table(FIELD.type), name);
  const expected = CHILDREN[type.id];
  if (expected !== undefined && children.length !== expected) throw damaged(`column "${name}" has other parts`);
  const encoding = field.table(FIELD.dictionary);
  const indices = encoding?.table(1);
  const metadata = field.tables(FIELD.metadata).map((entry) => [entry.text(0) ?? "", entry.text(1) ?? ""] as const);
  return {
    name,
    type,
    children,
    dictionary: encoding && {
      id: encoding.int64(0),
      indices: indices ? readInt(indices, name) : { id: "int", bits: 32, isSigned: true },
    },
    metadata: new Map(metadata),
  };
}

/** How many children a type has; a struct has any number. */
const CHILDREN: Record<ArrowType["id"], number | undefined> = {
  null: 0,
  boolean: 0,
  int: 0,
  float: 0,
  text: 0,
  binary: 0,
  fixedBinary: 0,
  decimal: 0,
  date: 0,
  time: 0,
  timestamp: 0,
  duration: 0,
  interval: 0,
  list: 1,
  fixedList: 1,
  map: 1,
  struct: undefined,
};

/** By the numbers of `Schema.fbs`. */
function readType(id: number, of: FlatTable | undefined, name: string): ArrowType {
  if (!of) throw damaged(`column "${name}" has no type`);
  switch (id) {
    case 1:
      return { id: "null" };
    case 2:
      return readInt(of, name);
    case 3:
      return { id: "float", bits: oneOf([16, 32, 64], [16, 32, 64][of.int16(0)], name) };
    case 4:
    case 19:
      return { id: "binary", isLarge: id === 19 };
    case 5:
    case 20:
      return { id: "text", isLarge: id === 20 };
    case 6:
      return { id: "boolean" };
    case 7:
      return { id: "decimal", bits: oneOf([32, 64, 128, 256], of.int32(2, 128), name), scale: scaleOf(of, name) };
    case 8:
      return { id: "date", isMillis: of.int16(0, 1) !== 0 };
    case 9:
      return { id: "time", bits: oneOf([32, 64], of.int32(1, 32), name), digits: digitsOf(of.int16(0, 1), name) };
    case 10:
      return { id: "timestamp", digits: digitsOf(of.int16(0), name), isZoned: (of.text(1) ?? "") !== "" };
    case 11:
      return { id: "interval", unit: oneOf(INTERVALS, INTERVALS[of.int16(0)], name) };
    case 12:
    case 21:
      return { id: "list", isLarge: id === 21 };
    case 13:
      return { id: "struct" };
    case 15:
      return { id: "fixedBinary", bytes: sizeOf(of, name) };
    case 16:
      return { id: "fixedList", size: sizeOf(of, name) };
    case 17:
      return { id: "map", isLarge: false };
    case 18:
      return { id: "duration", digits: digitsOf(of.int16(0, 1), name) };
    default:
      throw unsupported(name);
  }
}

const INTERVALS = ["months", "dayMillis", "monthDayNanos"] as const;

const readInt = (of: FlatTable, name: string): ArrowType & { id: "int" } => ({
  id: "int",
  bits: oneOf([8, 16, 32, 64], of.int32(0), name),
  isSigned: of.uint8(1) !== 0,
});

const unsupported = (name: string): UnreadableResult =>
  new UnreadableResult("unsupported", `Column "${name}" has a type that can't be delivered. Cast it to text.`);

function oneOf<const Value>(known: readonly Value[], value: unknown, name: string): Value {
  const found = known.find((one) => one === value);
  if (found === undefined) throw unsupported(name);
  return found;
}

const digitsOf = (unit: number, name: string): number => oneOf([0, 3, 6, 9], [0, 3, 6, 9][unit], name);

function scaleOf(of: FlatTable, name: string): number {
  const scale = of.int32(1);
  if (scale < 0 || scale > 76) throw unsupported(name);
  return scale;
}

function sizeOf(of: FlatTable, name: string): number {
  const size = of.int32(0);
  if (size < 0 || size > RENDER_BOUNDS.streamBytesMax) throw unsupported(name);
  return size;
}
