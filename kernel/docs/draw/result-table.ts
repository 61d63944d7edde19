// A result as it is drawn: its columns, and each of its cells, wherever they are read from.

export type Cell = null | boolean | number | bigint | string;

export const COLUMN_KINDS = [
  "boolean",
  "integer",
  "bigint",
  "decimal",
  "float",
  "date",
  "time",
  "timestamp",
  "timestamptz",
  "binary",
  "json",
  "text",
] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

/** Kinds whose cells are numbers, or texts of numbers. */
export const NUMBER_KINDS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(["integer", "bigint", "decimal", "float"]);

export type ResultColumn = { name: string; kind: ColumnKind };

export type ResultTable = {
  columns: readonly ResultColumn[];
  rowCount: number;
  /**
   * NULL is null. `integer` and `float` are numbers, `bigint` a bigint, `decimal` all its digits as text; dates and
   * times are ISO texts, binary is base64 and a nested value JSON. Reading may throw where the
   * result is damaged there.
   */
  cell(row: number, column: number): Cell;
};
