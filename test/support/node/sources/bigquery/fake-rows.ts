// Rows of DuckDB's as BigQuery's REST API prints them: DuckDB itself writes each row's text, so that millions go by at
// speed.

import { DuckDBDecimalType, DuckDBListType, DuckDBStructType, DuckDBTypeId, type DuckDBType } from "@duckdb/node-api";

export type FakeField = {
  name: string;
  type: string;
  mode: "NULLABLE" | "REPEATED" | "REQUIRED";
  fields?: FakeField[];
  precision?: string;
  scale?: string;
  rangeElementType?: { type: string };
};

const WHOLE = [
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
];
const NAMES: Partial<Record<DuckDBTypeId, string>> = {
  [DuckDBTypeId.FLOAT]: "FLOAT",
  [DuckDBTypeId.DOUBLE]: "FLOAT",
  [DuckDBTypeId.BOOLEAN]: "BOOLEAN",
  [DuckDBTypeId.VARCHAR]: "STRING",
  [DuckDBTypeId.BLOB]: "BYTES",
  [DuckDBTypeId.DATE]: "DATE",
  [DuckDBTypeId.TIME]: "TIME",
  [DuckDBTypeId.TIMESTAMP]: "DATETIME",
  [DuckDBTypeId.TIMESTAMP_TZ]: "TIMESTAMP",
  [DuckDBTypeId.INTERVAL]: "INTERVAL",
  [DuckDBTypeId.SQLNULL]: "INTEGER",
};

/** A type that DuckDB lacks is a text in a STRUCT whose one field is named by it. */
const tagOf = (type: DuckDBType): string | undefined =>
  type instanceof DuckDBStructType && type.entryNames.length === 1 && type.entryNames[0]!.startsWith("@")
    ? type.entryNames[0]!.slice(1)
    : undefined;

/** `isTable`: digits that a column declares are said of tables, not of results. */
export function fieldOf(name: string, type: DuckDBType, isTable: boolean): FakeField {
  if (type instanceof DuckDBListType) return { ...fieldOf(name, type.valueType, isTable), mode: "REPEATED" };
  const plain = (text: string): FakeField => ({ name, type: text, mode: "NULLABLE" });
  const tag = tagOf(type);
  const [, range] = /^RANGE<(\w+)>$/.exec(tag ?? "") ?? [];
  if (range !== undefined) return { ...plain("RANGE"), rangeElementType: { type: range } };
  if (tag !== undefined) return plain(tag);
  if (type instanceof DuckDBStructType) {
    const fields = type.entryNames.map((entry, i) => fieldOf(entry, type.entryTypes[i]!, isTable));
    return { ...plain("RECORD"), fields };
  }
  if (type.alias === "JSON") return plain("JSON");
  if (WHOLE.includes(type.typeId)) return plain("INTEGER");
  if (type instanceof DuckDBDecimalType) {
    const isDefault = type.width === 38 && type.scale === 9;
    return { ...plain("NUMERIC"), ...(isTable && !isDefault ? digits(type) : {}) };
  }
  const text = NAMES[type.typeId];
  if (text === undefined) throw new Error(`The fake knows no type like ${type}.`);
  return plain(text);
}

const digits = ({ width, scale }: DuckDBDecimalType) => ({ precision: String(width), scale: String(scale) });

/** An expression that gives a row's text: `{"f":[{"v":"1"},…]}`. */
export function rowExpression(
  names: readonly string[],
  types: readonly DuckDBType[],
  isInt64Timestamp: boolean,
): string {
  const cells = names.map((name, i) =>
    cellExpression(`"${name.replaceAll('"', '""')}"`, types[i]!, isInt64Timestamp, 1),
  );
  return `'{"f":[' || ${cells.join(" || ',' || ")} || ']}'`;
}

function cellExpression(from: string, type: DuckDBType, isInt64: boolean, depth: number): string {
  return `'{"v":' || ${valueExpression(from, type, isInt64, depth)} || '}'`;
}

function valueExpression(from: string, type: DuckDBType, isInt64: boolean, depth: number): string {
  if (type instanceof DuckDBListType) {
    const element = cellExpression(`x${depth}`, type.valueType, isInt64, depth + 1);
    // A NULL array comes as an empty one.
    return `coalesce('[' || array_to_string(list_transform(${from}, lambda x${depth}: ${element}), ',') || ']', '[]')`;
  }
  const tag = tagOf(type);
  if (type instanceof DuckDBStructType && tag === undefined) {
    const parts = type.entryNames.map((name, i) =>
      cellExpression(`${from}.${`"${name.replaceAll('"', '""')}"`}`, type.entryTypes[i]!, isInt64, depth),
    );
    return `CASE WHEN ${from} IS NULL THEN 'null' ELSE '{"f":[' || ${parts.join(" || ',' || ")} || ']}' END`;
  }
  const text = tag === undefined ? textExpression(from, type, isInt64) : `${from}."@${tag}"`;
  return `coalesce(CAST(to_json(${text}) AS VARCHAR), 'null')`;
}

function textExpression(from: string, type: DuckDBType, isInt64: boolean): string {
  const plain = `CAST(${from} AS VARCHAR)`;
  switch (type.typeId) {
    case DuckDBTypeId.DECIMAL:
      return (type as DuckDBDecimalType).scale > 0 ? `rtrim(rtrim(${plain}, '0'), '.')` : plain;
    case DuckDBTypeId.DOUBLE:
    case DuckDBTypeId.FLOAT:
      return `CASE WHEN isnan(${from}) THEN 'NaN' WHEN isinf(${from}) THEN CASE WHEN ${from} > 0 THEN 'Infinity' ELSE '-Infinity' END ELSE ${plain} END`;
    case DuckDBTypeId.BLOB:
      return `base64(${from})`;
    case DuckDBTypeId.TIMESTAMP:
      return `replace(${plain}, ' ', 'T')`;
    case DuckDBTypeId.TIMESTAMP_TZ:
      return isInt64 ? `CAST(epoch_us(${from}) AS VARCHAR)` : `CAST(epoch(${from}) AS VARCHAR)`;
    case DuckDBTypeId.INTERVAL:
      return `format('{}-{} {} {}:{}:{}', datepart('year', ${from}), datepart('month', ${from}), datepart('day', ${from}), datepart('hour', ${from}), datepart('minute', ${from}), datepart('second', ${from}))`;
    default:
      return plain;
  }
}
