// The columns of a MySQL result, read from its column definitions: their kinds, and how the text of a cell becomes
// canonical.

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

function describe(field: ColumnDefinition): Description {
  const { flags, columnLength: length, decimals } = field;
  const unsigned = (flags & UNSIGNED) !== 0;
  const numeric = (type: string, kind: ValueKind) => plain(unsigned ? `${type} unsigned` : type, kind);
  const fraction = decimals > 0 && decimals <= 6 ? `(${decimals})` : "";
  switch (field.columnType) {
    case 0x01:
      return numeric(length === 1 ? "tinyint(1)" : "tinyint", "integer");
    case 0x02:
      return numeric("smallint", "integer");
    case 0x09:
      return numeric("mediumint", "integer");
    case 0x03:
      return numeric("int", "integer");
    case 0x08:
      return numeric("bigint", "bigint");
    case 0x0d:
      return plain("year", "integer");
    case 0x10:
      return plain(`bit(${length})`, length > 32 ? "bigint" : "integer", "bits");
    case 0x00:
    case 0xf6: {
      const precision = length - (decimals > 0 ? 1 : 0) - (unsigned ? 0 : 1);
      return { ...numeric(`decimal(${precision},${decimals})`, "decimal"), precision, scale: decimals };
    }
    case 0x04:
      return numeric("float", "float");
    case 0x05:
      return numeric("double", "float");
    case 0x0a:
    case 0x0e:
      return plain("date", "date");
    case 0x0b:
      return plain(`time${fraction}`, "text", "time");
    case 0x0c:
      return plain(`datetime${fraction}`, "timestamp", "datetime");
    case 0x07:
      return plain(`timestamp${fraction}`, "timestamptz", "instant");
    case 0xf5:
      return plain("json", "json", "json");
    case 0xf2:
      return plain("vector", "binary", "base64");
    case 0xff:
      return plain(field.extendedTypeName ?? "geometry", "binary", "base64");
    case 0x06:
      return plain("null", "text");
    default:
      return describeString(field, flags, length);
  }
}

/** Types that are strings on the wire; MariaDB says aside what else they are. */
function describeString(
  { columnType, characterSet, extendedTypeName, extendedFormat }: ColumnDefinition,
  flags: number,
  length: number,
): Description {
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
