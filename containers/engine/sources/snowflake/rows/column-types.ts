// The columns of a Snowflake result, read from Snowflake's description: their kinds, and how the text of a cell becomes
// canonical.

import { distinctNames, type Column, type ValueKind } from "../../../formats/result.ts";
import type { RowType } from "../connection/statement.ts";

/** How a cell's text becomes canonical: not at all, or as named. */
export type Conversion =
  | "none"
  | "number"
  | "boolean"
  | "float"
  | "base64"
  | "date"
  | "time"
  | "timestamp"
  | "instant"
  | "zoned"
  | "json";

export type ResultColumn = Column & { conversion: Conversion };

/**
 * | Snowflake | kind | |
 * |---|---|---|
 * | NUMBER(p, 0) up to 9 digits | integer | |
 * | NUMBER(p, 0) up to 18 digits | bigint | |
 * | NUMBER(p, s), INTEGER and its like, which are NUMBER(38, 0) | decimal | all digits |
 * | FLOAT | float | with NaN, Infinity and -Infinity |
 * | DECFLOAT | text | as printed: its exponent is beyond any decimal of the formats |
 * | BOOLEAN | boolean | |
 * | VARCHAR, UUID, INTERVAL … | text | |
 * | BINARY | binary | |
 * | DATE | date | |
 * | TIME | time | up to nine digits of a second |
 * | TIMESTAMP_NTZ | timestamp | up to nine digits of a second |
 * | TIMESTAMP_LTZ, TIMESTAMP_TZ | timestamptz | the instant, in UTC; the offset is not kept |
 * | VARIANT, OBJECT, ARRAY, MAP, VECTOR | json | what is no JSON is a JSON string |
 * | GEOGRAPHY, GEOMETRY | json | GeoJSON |
 */
export function describeColumns(types: readonly RowType[]): ResultColumn[] {
  const names = distinctNames(types.map(({ name }) => name));
  return types.map((type, i) => ({ name: names[i]!, ...describe(type) }));
}

type Description = Omit<ResultColumn, "name">;

const plain = (type: string, kind: ValueKind, conversion: Conversion = "none"): Description => ({
  type,
  kind,
  conversion,
});

function describe({ type, extTypeName, precision = 38, scale, length }: RowType): Description {
  if (extTypeName !== undefined && /^GEO(?:GRAPHY|METRY)$/i.test(extTypeName))
    return plain(extTypeName.toUpperCase(), "json", "json");
  const timed = (name: string, kind: ValueKind, conversion: Conversion) =>
    plain(`${name}(${scale ?? 9})`, kind, conversion);
  switch (type) {
    case "fixed":
      return describeNumber(precision, scale ?? 0);
    case "real":
      return plain("FLOAT", "float", "float");
    case "boolean":
      return plain("BOOLEAN", "boolean", "boolean");
    case "text":
      return plain(extTypeName ?? (length === undefined ? "VARCHAR" : `VARCHAR(${length})`), "text");
    case "binary":
      return plain("BINARY", "binary", "base64");
    case "date":
      return plain("DATE", "date", "date");
    case "time":
      return timed("TIME", "time", "time");
    case "timestamp_ntz":
      return timed("TIMESTAMP_NTZ", "timestamp", "timestamp");
    case "timestamp_ltz":
      return timed("TIMESTAMP_LTZ", "timestamptz", "instant");
    case "timestamp_tz":
      return timed("TIMESTAMP_TZ", "timestamptz", "zoned");
    case "variant":
    case "object":
    case "array":
    case "map":
    case "vector":
      return plain(type.toUpperCase(), "json", "json");
    default:
      return plain((extTypeName ?? type).toUpperCase().slice(0, 100), "text");
  }
}

function describeNumber(precision: number, scale: number): Description {
  const type = `NUMBER(${precision},${scale})`;
  if (scale > 0 || precision > 18) return { ...plain(type, "decimal", "number"), precision, scale };
  return plain(type, precision <= 9 ? "integer" : "bigint", "number");
}
