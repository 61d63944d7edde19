// Ranges of a MySQL table's primary key, as conditions at the source and in the lake.

import * as duckdb from "../../../duckdb/quoting.ts";
import { duckdbType } from "../../../parquet/lake-types.ts";
import type { LakeRange } from "../../digests/changed-ranges.ts";
import { quoteIdentifier } from "../sql-text.ts";
import type { MysqlColumn } from "./plan-column.ts";
import type { MysqlTable } from "./describe-table.ts";

/**
 * The key of one row; numbers and times as printed, without zeros to fill them up, strings and bytes in hexadecimal
 * digits.
 */
export type Key = string[];

/** Keys after `after`, up to and with `upTo`; null is no bound. */
export type KeyRange = { after: Key | null; upTo: Key | null };

type KeyKind = "number" | "time" | "string" | "bytes" | "quoted";

export type KeyColumn = {
  name: string;
  lakeName: string;
  /** The column's type in the lake. */
  type: string;
  /** The column's type as DuckDB spells it. */
  duckdb: string;
  kind: KeyKind;
  /** Its value in the source's SQL; of numbers, one that is printed as the lake prints it. */
  value: string;
};

/** The key's columns; undefined where no ranges can be made of it: then a table is read as a whole. */
export function keyColumns(table: MysqlTable): KeyColumn[] | undefined {
  if (table.primaryKey.length === 0) return undefined;
  const columns: KeyColumn[] = [];
  for (const name of table.primaryKey) {
    const declared = table.declared.get(name);
    const column = table.columns.find((candidate) => candidate.name === name);
    const kind = declared && kindOf(declared);
    if (!kind || !column) return undefined;
    columns.push({
      name,
      lakeName: column.lake.name,
      type: column.lake.type,
      duckdb: duckdbType(column.lake),
      kind,
      value: valueOf(declared, column.lake.type),
    });
  }
  return columns;
}

/**
 * Enums compare by their text and sort by their position in the declaration, floats are not printed as they are:
 * neither bounds a range.
 */
function kindOf({ dataType }: MysqlColumn): KeyKind | undefined {
  if (/^(tinyint|smallint|mediumint|int|bigint|decimal|year|bit)$/.test(dataType)) return "number";
  if (/^(date|datetime|timestamp)$/.test(dataType)) return "time";
  if (/^(char|varchar)$/.test(dataType)) return "string";
  if (/^(binary|varbinary)$/.test(dataType)) return "bytes";
  if (/^(time|uuid|inet4|inet6)$/.test(dataType)) return "quoted";
  return undefined;
}

function valueOf({ name, dataType, columnType, precision, scale }: MysqlColumn, type: string): string {
  const column = quoteIdentifier(name);
  if (dataType === "bit" || dataType === "year") return `(${column} + 0)`;
  if (!/ zerofill/.test(columnType) || type === "varchar") return column;
  return dataType === "decimal" ? `CAST(${column} AS DECIMAL(${precision},${scale}))` : `(${column} + 0)`;
}

/**
 * Whether the lake sorts the column's values as the source does: a decimal of more digits than DuckDB's have is text
 * there, text is sorted by a collation here and by bytes there, and so are a server's own types.
 */
const isSortedAlike = ({ kind, type }: KeyColumn): boolean =>
  (kind === "number" && /^(u?int\d+|decimal\(.*)$/.test(type)) ||
  (kind === "time" && /^(date|timestamp(tz)?)$/.test(type)) ||
  (kind === "bytes" && type === "blob");

/** Selects a key as {@link Key}. */
export const selectKey = (columns: readonly KeyColumn[]): string =>
  columns
    .map(({ kind, value }) =>
      kind === "string" ? `HEX(CONVERT(${value} USING utf8mb4))` : kind === "bytes" ? `HEX(${value})` : value,
    )
    .join(", ");

export const orderByKey = (columns: readonly KeyColumn[]): string =>
  columns.map(({ name }) => quoteIdentifier(name)).join(", ");

/** The range at the source, where columns compare as their collations say. */
export const sourceCondition = (columns: readonly KeyColumn[], range: KeyRange): string =>
  condition(
    {
      names: columns.map(({ name }) => quoteIdentifier(name)),
      literals: columns.map(
        ({ kind }) =>
          (value) =>
            sourceLiteral(kind, value),
      ),
    },
    range,
  );

/**
 * The range in the lake; undefined where the lake would sort keys otherwise than the source, or a bound is an
 * invalid date.
 */
export function lakeRange(columns: readonly KeyColumn[], range: KeyRange): LakeRange | undefined {
  if (!columns.every(isSortedAlike)) return undefined;
  if (columns.some(({ kind }, i) => kind === "time" && [range.after, range.upTo].some((key) => key && !isDay(key[i]!))))
    return undefined;
  const literals = columns.map(({ kind, duckdb: type }) => (value: string) => {
    const zone = type.startsWith("TIMESTAMP WITH") ? "+00" : "";
    return kind === "bytes"
      ? `from_hex(${duckdb.quoteLiteral(value)})`
      : `CAST(${duckdb.quoteLiteral(value + zone)} AS ${type})`;
  });
  const where = condition({ names: columns.map(({ lakeName }) => duckdb.quoteIdentifier(lakeName)), literals }, range);
  // The catalog keeps no bounds of bytes.
  const isBounded = columns[0]?.kind !== "bytes";
  return {
    where,
    bounds: { from: (isBounded && range.after?.[0]) || null, upTo: (isBounded && range.upTo?.[0]) || null },
  };
}

function isDay(value: string): boolean {
  const day = value.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

const TIME = /^[\w.: -]{1,64}$/;
const HEX = /^([0-9A-F]{2})*$/;
const FORMS: Record<KeyKind, RegExp> = {
  number: /^-?\d{1,65}(\.\d{1,38})?$/,
  time: TIME,
  quoted: TIME,
  string: HEX,
  bytes: HEX,
};

/** Whether a key from the server has the form that was asked for. */
export const isKey = (columns: readonly KeyColumn[], key: Key): boolean =>
  columns.every(({ kind }, i) => FORMS[kind].test(key[i] ?? ""));

function sourceLiteral(kind: KeyKind, value: string): string {
  if (!FORMS[kind].test(value)) throw new Error(`a ${kind} of a key is none`);
  return kind === "number"
    ? value
    : kind === "string"
      ? `_utf8mb4 X'${value}'`
      : kind === "bytes"
        ? `X'${value}'`
        : `'${value}'`;
}

/** The key's columns by name, and how a value of each is written: in the source's SQL or in DuckDB's. */
type Dialect = { names: string[]; literals: ((value: string) => string)[] };

function condition(dialect: Dialect, { after, upTo }: KeyRange): string {
  const bounds = [
    ...(after ? [compareKey(dialect, ">", after)] : []),
    ...(upTo ? [compareKey(dialect, "<=", upTo)] : []),
  ];
  return bounds.length === 0 ? "TRUE" : bounds.join(" AND ");
}

/**
 * Compares tuples column by column, and the first column once more by itself: optimizers find an index by that and not
 * by a tuple.
 */
function compareKey({ names, literals }: Dialect, operator: ">" | "<=", key: Key): string {
  const values = key.map((value, i) => literals[i]!(value));
  const strict = operator[0];
  const steps = names.map((name, i) => {
    const equal = names.slice(0, i).map((before, j) => `${before} = ${values[j]}`);
    const isLast = i === names.length - 1;
    return `(${[...equal, `${name} ${isLast ? operator : strict} ${values[i]}`].join(" AND ")})`;
  });
  return names.length === 1 ? steps[0]! : `(${names[0]} ${strict}= ${values[0]} AND (${steps.join(" OR ")}))`;
}
