// Makes the Arrow columns of DuckDB's types, whole and in part.

import {
  DuckDBArrayType,
  DuckDBEnumType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId as Id,
  type DuckDBType,
} from "@duckdb/node-api";
import {
  Dictionary,
  Field,
  FixedSizeList,
  Float32,
  List,
  Map_,
  Struct,
  Uint16,
  Uint32,
  Uint8,
  Utf8,
  Vector,
  makeData,
  type Data,
  type DataType,
} from "apache-arrow";
import { arrowTypeOf, fieldOf } from "../../../../formats/arrow/schema.ts";
import { distinctNames, type Column } from "../../../../formats/result.ts";
import { columnOf } from "../../canonical-text.ts";
import { fixedLists, lists, structs } from "./nested.ts";
import { CONVERSIONS, numbers } from "./numbers.ts";
import { conversionOf, isRead } from "./read-column.ts";
import { INTERVAL, UUID } from "./spellings.ts";
import { blobs, booleans, spelled, texts } from "./stores.ts";
import { VectorColumn, type VectorStore } from "./vector-column.ts";

/** State of one result's columns. `keptBytes`: the bytes of each buffer that may be kept from batch to batch. */
export type ResultContext = { keptBytes: number; nextDictionary: number };

/** The column that is filled from what `selectOf` selects. */
export const vectorColumnOf = (column: Column, type: DuckDBType, context: ResultContext): VectorColumn =>
  make(type, { own: column, column: column.name, isNullable: true, context });

/** `own`: how it is described, `column`: the name of the result's column that it is in. */
type Place = { own: Column; column: string; isNullable: boolean; context: ResultContext };

type Made = { arrowType: DataType; store: VectorStore };

function make(type: DuckDBType, place: Place): VectorColumn {
  const { own, column, isNullable, context } = place;
  const { arrowType, store } = madeOf(type, place);
  return new VectorColumn({ column, field: fieldOf(own, arrowType, isNullable), keptBytes: context.keptBytes }, store);
}

function madeOf(type: DuckDBType, place: Place): Made {
  const { context, column } = place;
  const { keptBytes } = context;
  const text = { arrowType: new Utf8(), store: texts(column, keptBytes) };
  if (!isRead(type)) return text;
  if (type instanceof DuckDBEnumType) return dictionary(type, context);
  const conversion = conversionOf(type);
  const arrowType = type.typeId === Id.FLOAT ? new Float32() : arrowTypeOf(columnOf("", type));
  if (conversion) return { arrowType, store: numbers(arrowType, conversion, keptBytes) };
  switch (type.typeId) {
    case Id.BOOLEAN:
      return { arrowType, store: booleans(keptBytes) };
    case Id.BLOB:
      return { arrowType, store: blobs(keptBytes) };
    case Id.UUID:
      return { arrowType, store: spelled(UUID, keptBytes) };
    case Id.INTERVAL:
      return { arrowType, store: spelled(INTERVAL, keptBytes) };
    case Id.VARCHAR:
      return text;
    default:
      return nested(type, place);
  }
}

function nested(type: DuckDBType, { column, context }: Place): Made {
  const part = (name: string, partType: DuckDBType, isNullable = true): VectorColumn =>
    make(partType, { own: columnOf(name, partType), column, isNullable, context });
  if (type instanceof DuckDBListType) {
    const element = part("item", type.valueType);
    return { arrowType: new List(element.field), store: lists(element, context.keptBytes) };
  }
  if (type instanceof DuckDBArrayType) {
    const element = part("item", type.valueType);
    return { arrowType: new FixedSizeList(type.length, element.field), store: fixedLists(element, type.length) };
  }
  if (type instanceof DuckDBMapType) {
    const members = [part("key", type.keyType, false), part("value", type.valueType)];
    const entry = new Field("entries", new Struct(members.map(({ field }) => field)), false);
    const entries = new VectorColumn({ column, field: entry, keptBytes: context.keptBytes }, structs(members));
    return {
      arrowType: new Map_(entry as Field<Struct<{ key: DataType; value: DataType }>>),
      store: lists(entries, context.keptBytes),
    };
  }
  if (!(type instanceof DuckDBStructType)) throw new Error(`No column is read as ${type.toString()}.`);
  // A tuple's members have no names; by their positions they can be told apart.
  const names = distinctNames(type.entryNames.map((name, i) => name || String(i + 1)));
  const members = type.entryTypes.map((member, i) => part(names[i]!, member));
  return { arrowType: new Struct(members.map(({ field }) => field)), store: structs(members) };
}

/** Words as numbers, as DuckDB has them too; the words are sent once, before the first rows. */
function dictionary({ values, internalTypeId }: DuckDBEnumType, context: ResultContext): Made {
  const [indices, conversion] =
    internalTypeId === Id.UTINYINT
      ? [new Uint8(), CONVERSIONS.byte]
      : internalTypeId === Id.USMALLINT
        ? [new Uint16(), CONVERSIONS.word16]
        : [new Uint32(), CONVERSIONS.word32];
  const store = numbers(indices, conversion, context.keptBytes);
  const words = new Vector([wordsOf(values)]);
  return {
    arrowType: new Dictionary(new Utf8(), indices, context.nextDictionary++),
    store: { ...store, buffers: (rows) => ({ ...store.buffers(rows), dictionary: words }) },
  };
}

function wordsOf(words: readonly string[]): Data<Utf8> {
  const valueOffsets = new Int32Array(words.length + 1);
  words.forEach((word, i) => (valueOffsets[i + 1] = valueOffsets[i]! + Buffer.byteLength(word)));
  return makeData({ type: new Utf8(), length: words.length, valueOffsets, data: Buffer.from(words.join("")) });
}
