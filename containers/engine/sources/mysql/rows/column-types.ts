// The columns of a MySQL result, read from its column definitions: their kinds, and how the text of a cell becomes
// canonical.

import { forTypes } from "../../../core/type-tables.ts";
import { distinctNames, type Column, type ValueKind } from "../../../formats/result.ts";
import type { ColumnDefinition } from "../connection/packets.ts";

/** How a cell's text becomes canonical: not at all, or as named. */
export type Conversion = "none" | "datetime" | "instant" | "time" | "bits" | "base64" | "json";

export type ResultColumn = Column & { conversion: Conversion };

/**
 * | MySQL | kind | |
 * |---|---|---|
 * | tinyint(1), bool | integer | MySQL has no boolean; 2 is as good a value as 1 |
 * | bigint, bigint unsigned, bit(33…64) | bigint | |
 * | bit(1…32), year | integer | bits as the number they are |
 * | float | float | the server prints at most six digits; `CAST(f AS DOUBLE)` has them all |
 * | time | text | a duration of up to 838 hours, either sign |
 * | datetime | timestamp | zero dates stay as they are: `0000-00-00 00:00:00` |
 * | timestamp | timestamptz | sessions are in UTC |
 * | json | json | in MariaDB a text: one that does not parse arrives as a JSON string |
 * | binary, blob, geometry, vector | binary | |
 * | enum, set, uuid, inet4 … | text | |
 */
export function describeColumns(fields: ColumnDefinition[]): ResultColumn[] {
  const names = distinctNames(fields.map(({ name }) => name));
  return fields.map((field, i) => ({ name: names[i]!, ...describe(field) }));
}

const UNSIGNED = 32;
const ENUM = 256;
const SET = 2048;
/** The character set that stands for bytes. */
const BINARY = 63;
/** Bytes a character may take: sessions speak utf8mb4, and lengths are counted in bytes. */
const CHARACTER_BYTES = 4;

type Description = { type: string; kind: ValueKind; conversion: Conversion; precision?: number; scale?: number };

const plain = (type: string, kind: ValueKind, conversion: Conversion = "none"): Description => ({
  type,
  kind,
  conversion,
});

const numeric =
  (type: string, kind: ValueKind) =>
  ({ flags }: ColumnDefinition): Description =>
    plain((flags & UNSIGNED) === 0 ? type : `${type} unsigned`, kind);
const timed =
  (type: string, kind: ValueKind, conversion: Conversion) =>
  ({ decimals }: ColumnDefinition): Description =>
    plain(decimals > 0 && decimals <= 6 ? `${type}(${decimals})` : type, kind, conversion);

/** Descriptions of types by MySQL's numbers, strings aside. */
const TYPES: Record<number, (field: ColumnDefinition) => Description> = {
  1: (field) => numeric(field.columnLength === 1 ? "tinyint(1)" : "tinyint", "integer")(field),
  2: numeric("smallint", "integer"),
  3: numeric("int", "integer"),
  4: numeric("float", "float"),
  5: numeric("double", "float"),
  6: () => plain("null", "text"),
  7: timed("timestamp", "timestamptz", "instant"),
  8: numeric("bigint", "bigint"),
  9: numeric("mediumint", "integer"),
  11: timed("time", "text", "time"),
  12: timed("datetime", "timestamp", "datetime"),
  13: () => plain("year", "integer"),
  16: ({ columnLength: bits }) => plain(`bit(${bits})`, bits > 32 ? "bigint" : "integer", "bits"),
  242: () => plain("vector", "binary", "base64"),
  245: () => plain("json", "json", "json"),
  255: ({ extendedTypeName }) => plain(extendedTypeName ?? "geometry", "binary", "base64"),
  ...forTypes([0, 0xf6], describeDecimal),
  ...forTypes([10, 14], () => plain("date", "date")),
};

const describe = (field: ColumnDefinition): Description => (TYPES[field.columnType] ?? describeString)(field);

function describeDecimal(field: ColumnDefinition): Description {
  const { flags, columnLength, decimals: scale } = field;
  const precision = columnLength - (scale > 0 ? 1 : 0) - ((flags & UNSIGNED) === 0 ? 1 : 0);
  return { ...numeric(`decimal(${precision},${scale})`, "decimal")(field), precision, scale };
}

/** Types that are strings on the wire; MariaDB says aside what else they are. */
function describeString(field: ColumnDefinition): Description {
  const { columnType, characterSet, flags, columnLength: length, extendedTypeName, extendedFormat } = field;
  if (extendedFormat === "json") return plain("json", "json", "json");
  if (extendedTypeName === "vector") return plain("vector", "binary", "base64");
  if (extendedTypeName) return plain(extendedTypeName, "text");
  if ((flags & ENUM) !== 0 || columnType === 0xf7) return plain("enum", "text");
  if ((flags & SET) !== 0 || columnType === 0xf8) return plain("set", "text");
  const isBinary = characterSet === BINARY;
  const isFixed = columnType === 0xfe;
  if (columnType === 0xfd || columnType === 0x0f || isFixed) {
    const size = isBinary ? length : Math.floor(length / CHARACTER_BYTES);
    return isBinary
      ? plain(`${isFixed ? "binary" : "varbinary"}(${size})`, "binary", "base64")
      : plain(`${isFixed ? "char" : "varchar"}(${size})`, "text");
  }
  const bytes = isBinary || length === 4_294_967_295 ? length : length / CHARACTER_BYTES;
  const size = bytes <= 255 ? "tiny" : bytes <= 65_535 ? "" : bytes <= 16_777_215 ? "medium" : "long";
  return isBinary ? plain(`${size}blob`, "binary", "base64") : plain(`${size}text`, "text");
}
