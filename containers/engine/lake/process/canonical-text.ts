// DuckDB values as canonical text, written in SQL: what a result's formats do not write from the vectors themselves.

import {
  DuckDBArrayType,
  DuckDBDecimalType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId as Id,
  DuckDBUnionType,
} from "@duckdb/node-api";
import type { Column, ValueKind } from "../../formats/result.ts";
import { quoteLiteral } from "../../duckdb/quoting.ts";
import { forTypes } from "../../core/type-tables.ts";

const KINDS: Record<Id, ValueKind> = {
  [Id.BOOLEAN]: "boolean",
  ...forTypes([Id.TINYINT, Id.SMALLINT, Id.INTEGER, Id.UTINYINT, Id.USMALLINT, Id.UINTEGER], "integer"),
  ...forTypes([Id.BIGINT, Id.UBIGINT, Id.HUGEINT, Id.UHUGEINT, Id.BIGNUM], "bigint"),
  [Id.DECIMAL]: "decimal",
  ...forTypes([Id.FLOAT, Id.DOUBLE], "float"),
  [Id.DATE]: "date",
  ...forTypes([Id.TIME, Id.TIME_NS, Id.TIME_TZ], "time"),
  ...forTypes([Id.TIMESTAMP, Id.TIMESTAMP_S, Id.TIMESTAMP_MS, Id.TIMESTAMP_NS], "timestamp"),
  [Id.TIMESTAMP_TZ]: "timestamptz",
  [Id.BLOB]: "binary",
  ...forTypes([Id.LIST, Id.ARRAY, Id.STRUCT, Id.MAP, Id.UNION, Id.VARIANT], "json"),
  ...forTypes([Id.VARCHAR, Id.ENUM, Id.UUID, Id.INTERVAL, Id.BIT, Id.GEOMETRY], "text"),
  ...forTypes([Id.SQLNULL, Id.INVALID, Id.ANY, Id.STRING_LITERAL, Id.INTEGER_LITERAL], "text"),
};

/** The value kind that a DuckDB type is to every format. */
export const kindOf = (type: DuckDBType): ValueKind => (type.alias === "JSON" ? "json" : KINDS[type.typeId]);

/** A result column of a DuckDB type. An enum's words are left out of its type's name: there may be thousands. */
export function columnOf(name: string, type: DuckDBType): Column {
  const spelled = type.alias ?? (type.typeId === Id.ENUM ? "ENUM" : type.toString());
  const column = { name, type: spelled, kind: kindOf(type) };
  return type instanceof DuckDBDecimalType ? { ...column, precision: type.width, scale: type.scale } : column;
}

/**
 * An SQL expression giving the canonical text of `ref`; NULL for NULL. `ref` may be repeated, so it is a plain name.
 */
export function textOf(type: DuckDBType, ref: string): string {
  const text = `CAST(${ref} AS VARCHAR)`;
  switch (kindOf(type)) {
    case "boolean":
    case "integer":
    case "bigint":
    case "date":
    case "time":
      return text;
    case "decimal":
      // DuckDB leaves the zero before the point out where all digits are behind it.
      return type instanceof DuckDBDecimalType && type.width === type.scale
        ? `regexp_replace(${text}, '^(-?)[.]', '\\10.')`
        : text;
    case "float":
      return floatText(ref, "");
    case "timestamp":
      return timestampText(text);
    case "timestamptz":
      return (
        `CASE WHEN isfinite(${ref}) THEN ${timestampText(`CAST(timezone('UTC', ${ref}) AS VARCHAR)`)} || 'Z' ` +
        `ELSE ${text} END`
      );
    case "binary":
      return `to_base64(${ref})`;
    case "json":
      return nestedText(type, ref);
    default:
      return text;
  }
}

/** `quote` stands around what is no number. One expression is planned in less time than one around another. */
const floatText = (ref: string, quote: string): string =>
  `CASE WHEN isfinite(${ref}) THEN CAST(${ref} AS VARCHAR) WHEN isnan(${ref}) THEN '${quote}NaN${quote}' ` +
  `WHEN ${ref} > 0 THEN '${quote}Infinity${quote}' WHEN ${ref} < 0 THEN '${quote}-Infinity${quote}' END`;

/** Years before Christ keep DuckDB's `(BC)`, behind the time. */
const timestampText = (text: string): string =>
  `CASE WHEN contains(${text}, '(BC)') THEN replace(replace(${text}, ' (BC)', ''), ' ', 'T') || ' (BC)' ` +
  `ELSE replace(${text}, ' ', 'T') END`;

/** An SQL expression giving `ref` as one JSON value; NULL for NULL. */
function jsonOf(type: DuckDBType, ref: string, numbers: "exact" | "string"): string {
  const text = textOf(type, ref);
  switch (kindOf(type)) {
    case "boolean":
    case "integer":
    case "json":
      return text;
    case "bigint":
    case "decimal":
      return numbers === "string" ? `'"' || ${text} || '"'` : text;
    case "float":
      return floatText(ref, '"');
    case "text":
      return `CAST(to_json(${text}) AS VARCHAR)`;
    default:
      return `'"' || (${text}) || '"'`;
  }
}

/** Types that DuckDB's own to_json gives exactly as we do. */
const PLAIN = new Set<ValueKind>(["boolean", "integer", "bigint", "decimal", "date", "time", "text"]);

function isPlain(type: DuckDBType): boolean {
  if (type.alias === "JSON") return false;
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) return isPlain(type.valueType);
  if (type instanceof DuckDBStructType) return type.entryTypes.every(isPlain);
  if (type instanceof DuckDBMapType) return isPlain(type.keyType) && isPlain(type.valueType);
  if (type instanceof DuckDBDecimalType) return type.width > type.scale;
  return PLAIN.has(kindOf(type));
}

/** Nested values piece by piece; numbers within stay literals whatever `numbers` says. */
function nestedText(type: DuckDBType, ref: string, depth = 0): string {
  const item = `i${depth}`;
  const inner = (child: DuckDBType, childRef: string): string => {
    const text = kindOf(child) === "json" ? nestedText(child, childRef, depth + 1) : jsonOf(child, childRef, "exact");
    return `coalesce(${text}, 'null')`;
  };
  if (type.alias === "JSON") return soundJson(`CAST(${ref} AS VARCHAR)`);
  // A NULL variant would become the JSON value null, which is not the same.
  if (type.typeId === Id.VARIANT)
    return `CASE WHEN ${ref} IS NOT NULL THEN ${soundJson(`CAST(CAST(${ref} AS JSON) AS VARCHAR)`)} END`;
  if (isPlain(type)) return `CAST(to_json(${ref}) AS VARCHAR)`;
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
    const list = type instanceof DuckDBArrayType ? `CAST(${ref} AS ${type.valueType.toString()}[])` : ref;
    const element = inner(type.valueType, item);
    return `'[' || array_to_string(list_transform(${list}, lambda ${item}: ${element}), ',') || ']'`;
  }
  if (type instanceof DuckDBStructType) {
    const members = type.entryNames.map((name, i) => {
      const key = i === 0 ? JSON.stringify(name) : `,${JSON.stringify(name)}`;
      const member =
        name === "" ? `struct_extract_at(${ref}, ${i + 1})` : `struct_extract(${ref}, ${quoteLiteral(name)})`;
      return `${quoteLiteral(`${key}:`)}, ${inner(type.entryTypes[i]!, member)}`;
    });
    return `CASE WHEN ${ref} IS NOT NULL THEN concat('{', ${members.join(", ")}, '}') END`;
  }
  if (type instanceof DuckDBMapType) {
    const key = `CAST(to_json(${textOf(type.keyType, `struct_extract(${item}, 'key')`)}) AS VARCHAR)`;
    const entry = `concat(${key}, ':', ${inner(type.valueType, `struct_extract(${item}, 'value')`)})`;
    return `'{' || array_to_string(list_transform(map_entries(${ref}), lambda ${item}: ${entry}), ',') || '}'`;
  }
  if (type instanceof DuckDBUnionType) {
    const cases = type.memberTags.map((tag, i) => {
      const value = inner(type.memberTypes[i]!, `union_extract(${ref}, ${quoteLiteral(tag)})`);
      return `WHEN ${quoteLiteral(tag)} THEN concat(${quoteLiteral(`{${JSON.stringify(tag)}:`)}, ${value}, '}')`;
    });
    return `CASE CAST(union_tag(${ref}) AS VARCHAR) ${cases.join(" ")} END`;
  }
  return `CAST(to_json(${ref}) AS VARCHAR)`;
}

/**
 * A JSON text fit to be embedded: line breaks between tokens become blanks, and a text with a bare NaN or infinity,
 * which DuckDB takes for JSON, becomes a string.
 */
const soundJson = (text: string): string =>
  `CASE WHEN regexp_matches(${text}, '(?i)nan|inf') ` +
  `AND regexp_matches(regexp_replace(${text}, '"(?:[^"\\\\]|\\\\.)*"', '', 'g'), '(?i)nan|inf') ` +
  `THEN CAST(to_json(${text}) AS VARCHAR) ` +
  `ELSE translate(${text}, chr(10) || chr(13) || chr(9), '   ') END`;

/** The formats of a line of text, and how whole numbers and decimals beyond a double's reach stand in JSON. */
export type LineFormat = { format: "json" | "ndjson" | "csv"; numbers: "exact" | "string" };

/** An SQL expression giving `ref` as a cell of CSV or a value of JSON; NULL for NULL. */
export const cellOf = (type: DuckDBType, ref: string, { format, numbers }: LineFormat): string =>
  format === "csv" ? csvCell(type, ref) : jsonOf(type, ref, numbers);

/** NULL is nothing, the empty string is `""`; kinds whose text never holds a comma, quote or line break go bare. */
function csvCell(type: DuckDBType, ref: string): string {
  const kind = kindOf(type);
  if (kind !== "text" && kind !== "json" && kind !== "binary") return textOf(type, ref);
  const text = textOf(type, ref);
  // A search for one byte costs a tenth of what a pattern does. DuckDB computes a repeated expression once.
  const isQuoted = ["','", `'"'`, "chr(10)", "chr(13)"].map((byte) => `contains(${text}, ${byte})`).join(" OR ");
  return (
    `CASE WHEN ${text} = '' THEN '""' WHEN ${isQuoted} ` +
    `THEN concat('"', replace(${text}, '"', '""'), '"') ELSE ${text} END`
  );
}
