// The columns of a Snowflake result, read from Snowflake's description: their kinds, and how the text of a cell becomes
// canonical.

import { entryOf, forTypes } from "../../../core/type-tables.ts";
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

const timed =
  (name: string, kind: ValueKind, conversion: Conversion) =>
  ({ scale = 9 }: RowType): Description =>
    plain(`${name}(${scale})`, kind, conversion);

const TYPES: Record<string, (type: RowType) => Description> = {
  fixed: ({ precision = 38, scale = 0 }) => describeNumber(precision, scale),
  real: () => plain("FLOAT", "float", "float"),
  boolean: () => plain("BOOLEAN", "boolean", "boolean"),
  text: ({ extTypeName, length }) =>
    plain(extTypeName ?? (length === undefined ? "VARCHAR" : `VARCHAR(${length})`), "text"),
  binary: () => plain("BINARY", "binary", "base64"),
  date: () => plain("DATE", "date", "date"),
  time: timed("TIME", "time", "time"),
  timestamp_ntz: timed("TIMESTAMP_NTZ", "timestamp", "timestamp"),
  timestamp_ltz: timed("TIMESTAMP_LTZ", "timestamptz", "instant"),
  timestamp_tz: timed("TIMESTAMP_TZ", "timestamptz", "zoned"),
  ...forTypes(["variant", "object", "array", "map", "vector"], ({ type }: RowType) =>
    plain(type.toUpperCase(), "json", "json"),
  ),
};

function describe(column: RowType): Description {
  const { type, extTypeName } = column;
  if (extTypeName !== undefined && /^GEO(?:GRAPHY|METRY)$/i.test(extTypeName))
    return plain(extTypeName.toUpperCase(), "json", "json");
  return entryOf(TYPES, type)?.(column) ?? plain((extTypeName ?? type).toUpperCase().slice(0, 100), "text");
}

function describeNumber(precision: number, scale: number): Description {
  const type = `NUMBER(${precision},${scale})`;
  if (scale > 0 || precision > 18) return { ...plain(type, "decimal", "number"), precision, scale };
  return plain(type, precision <= 9 ? "integer" : "bigint", "number");
}
