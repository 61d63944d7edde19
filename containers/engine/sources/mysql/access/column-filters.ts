// Row filters in the SQL of MySQL and MariaDB, over columns of their tables.

import type { RowCondition } from "../../../../../kernel/access/access.ts";
import type { FilterType } from "../../../../../kernel/access/filter-constants.ts";
import type { TextPlace } from "../../../../../kernel/access/filter-grammar.ts";
import type { FilterColumn, FilterDialect } from "../../../access/row-filter-sql.ts";
import { quoteIdentifier, quoteLiteral } from "../sql-text.ts";

/** A column's type in information_schema: `int(10) unsigned` is of the data type `int`. */
export type ColumnType = { dataType: string; columnType: string };

export const filterColumn = (name: string, type: ColumnType): FilterColumn => ({
  sql: type.dataType === "bit" ? `(${quoteIdentifier(name)} + 0)` : quoteIdentifier(name),
  type: filterTypeOf(type),
});

/** Sessions are in UTC, and their mode lets backslashes escape. */
export const MYSQL_FILTERS: FilterDialect = {
  constant({ type }, constant) {
    if (type.kind === "number") return numberLiteral(type.scale, constant);
    if (type.kind === "date") return `DATE${quoteLiteral(constant)}`;
    if (type.kind === "instant") return `TIMESTAMP${quoteLiteral(constant)}`;
    return quoteLiteral(constant);
  },
  isOneOf({ sql, type }, constants) {
    const isListed = `${sql} IN (${constants.join(", ")})`;
    if (type.kind !== "text") return `(${isListed})`;
    // Collations take letters and spaces for others that are not theirs; the list alone may go by an index.
    return `(${isListed} AND ${bytesOf(sql)} IN (${constants.map(bytesOf).join(", ")}))`;
  },
  holdsText: ({ sql }, text, place) =>
    `(${smallLetters(sql)} LIKE ${smallLetters(quoteLiteral(patternOf(text, place)))} ESCAPE '|')`,
};

const bytesOf = (sql: string): string => `CAST(CONVERT(${sql} USING utf8mb4) AS BINARY)`;
/** Letters become small by one rule on both sides, and are then compared as they are. */
const smallLetters = (sql: string): string =>
  `LOWER(CONVERT(${sql} USING utf8mb4) COLLATE utf8mb4_unicode_ci) COLLATE utf8mb4_bin`;

function patternOf(text: string, place: TextPlace): string {
  const escaped = text.replace(/[|%_]/g, "|$&");
  return `${place === "start" ? "" : "%"}${escaped}${place === "end" ? "" : "%"}`;
}

/** A number without an exponent would be a decimal, of which a double is rarely the equal. */
function numberLiteral(scale: unknown, constant: string): string {
  if (scale !== "float" && scale !== "double") return constant;
  const written = scale === "float" ? String(Math.fround(Number(constant))) : constant;
  return written.includes("e") ? written : `${written}e0`;
}

const INTEGER_BITS: Readonly<Record<string, bigint>> = {
  tinyint: 8n,
  smallint: 16n,
  mediumint: 24n,
  int: 32n,
  bigint: 64n,
};
const TEXTS = new Set(["char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set"]);

function filterTypeOf({ dataType, columnType }: ColumnType): FilterType {
  const bits = INTEGER_BITS[dataType];
  const isUnsigned = columnType.includes("unsigned");
  if (bits !== undefined) {
    const half = 1n << (bits - 1n);
    return {
      kind: "number",
      scale: 0,
      ...(isUnsigned ? { min: 0n, max: 2n * half - 1n } : { min: -half, max: half - 1n }),
    };
  }
  const [, width, scale = "0"] = /^(?:decimal|bit)\((\d+)(?:,(\d+))?\)/.exec(columnType) ?? [];
  if (width !== undefined) {
    const end = dataType === "bit" ? 1n << BigInt(width) : 10n ** BigInt(width);
    return { kind: "number", scale: Number(scale), min: dataType === "bit" ? 0n : 1n - end, max: end - 1n };
  }
  if (dataType === "year") return { kind: "number", scale: 0, min: 0n, max: 2155n };
  if (dataType === "float" || dataType === "double") return { kind: "number", scale: dataType };
  if (TEXTS.has(dataType)) return { kind: "text" };
  if (dataType === "date") return { kind: "date" };
  return { kind: dataType === "datetime" || dataType === "timestamp" ? "instant" : "other" };
}

const BOOLEANS: Readonly<Record<string, string>> = { true: "1", false: "0" };

/** MySQL's booleans are numbers; `isBoolean` knows their columns. */
export function readBooleans(condition: RowCondition, isBoolean: (column: number) => boolean): RowCondition {
  if ("and" in condition) return { and: condition.and.map((inner) => readBooleans(inner, isBoolean)) };
  if ("or" in condition) return { or: condition.or.map((inner) => readBooleans(inner, isBoolean)) };
  if (!isBoolean(condition.column)) return condition;
  const values = condition.values.map((value) => (value === null ? null : (BOOLEANS[value.toLowerCase()] ?? value)));
  return { ...condition, values };
}

export const isBooleanType = ({ columnType }: ColumnType): boolean =>
  columnType === "tinyint(1)" || columnType === "bit(1)";
