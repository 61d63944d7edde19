// What a table of a source is to the engine: its columns as the lake will hold them, and how each is read.

import { foldName } from "../duckdb/names.ts";
import type { LakeColumn } from "../contract/lake.ts";
import type { CellWidth } from "./vector-column.ts";

/** A name as the source spells it: in MySQL a schema is a database. */
export type SourceTableName = { schema: string; name: string };

/** How a column is read where its values don't fit the type its declaration suggests. */
export type ReadAs = "varchar" | "json";

/** How a cell is told on the wire. Each kind of source knows some of these. */
export type Reading =
  | {
      as:
        | "boolean"
        | "integer"
        | "bits"
        | "float"
        | "date"
        | "time"
        | "timestamp"
        | "timestamptz"
        | "uuid"
        | "text"
        | "jsonb"
        | "blob";
    }
  | { as: "decimal"; precision: number; scale: number }
  | { as: "list"; element: Reading & { width: CellWidth } };

export type SourceColumn = {
  /** As the source spells it. */
  name: string;
  /** As the source calls it, for people. */
  type: string;
  /**
   * What the lake holds; the ids are those of a new table. Names differ from the source's only where DuckDB takes two
   * for one.
   */
  lake: LakeColumn;
  /** The expression that selects it, in the source's SQL. */
  select: string;
  reading: Reading;
  width: CellWidth;
  /** What it is read as instead when a value does not fit; absent where every value fits. */
  fallback?: ReadAs;
  /**
   * Of a column without negative numbers: what a lake has of it that was made before {@link READ_VERSION} 1. Every
   * value fits.
   */
  unsigned?: LakeColumn;
  /** The {@link READ_VERSION} from which on its values are read as they are now. */
  changedIn?: number;
};

/** Grows whenever values of some columns are read otherwise than before, in the same type. */
export const READ_VERSION = 1;

/**
 * What a source tells people of a table, and of its columns by their names there. Long ones are cut, just beyond what
 * the lake keeps.
 */
export type SourceComments = { table: string | null; columns: ReadonlyMap<string, string> };

export type SourceTable = SourceTableName & {
  kind: "table" | "view" | "foreign" | "partitioned" | "materialized";
  columns: SourceColumn[];
  /**
   * Names of columns, as the source spells them: the primary key, else another unique one that is never NULL; empty
   * without.
   */
  primaryKey: string[];
  /** Changes whenever a column's meaning may have changed without its rows being touched. */
  fingerprint: string;
  comments: SourceComments;
  rowsEstimate: number | null;
  bytesEstimate: number | null;
  /** What people should know about how this table is read. */
  notes: string[];
};

/** Bytes a cell of a lake type takes in a vector. */
export function cellWidth(column: LakeColumn): CellWidth {
  const { type } = column;
  const precision = /^decimal\((\d+)/.exec(type)?.[1];
  if (precision !== undefined)
    return Number(precision) <= 4 ? 2 : Number(precision) <= 9 ? 4 : Number(precision) <= 18 ? 8 : 16;
  switch (type) {
    case "boolean":
    case "int8":
      return 1;
    case "int16":
      return 2;
    case "int32":
    case "float32":
    case "date":
      return 4;
    case "int64":
    case "float64":
    case "time":
    case "timestamp":
    case "timestamptz":
      return 8;
    default:
      return 16;
  }
}

/**
 * A name of its own for each column: DuckDB compares them without regard to case, and the lake's have no control
 * characters.
 */
export function lakeNames(names: string[]): string[] {
  const clean = names.map((name) => name.replaceAll(/\p{Cc}/gu, "_"));
  const taken = new Set(clean.map((name) => foldName(name)));
  const seen = new Set<string>();
  return clean.map((name) => {
    let own = name;
    for (let n = 2; seen.has(foldName(own)); n++) if (!taken.has(foldName(`${name}_${n}`))) own = `${name}_${n}`;
    seen.add(foldName(own));
    return own;
  });
}

export const commentsOf = (columns: readonly { name: string; comment: string | null }[]): SourceComments["columns"] =>
  new Map(columns.flatMap(({ name, comment }) => (comment ? [[name, comment]] : [])));

/** What a user should know of columns that could not keep their names. */
export const notesOfNames = (names: string[], inLake: string[]): string[] =>
  names.flatMap((name, i) =>
    inLake[i] === name
      ? []
      : [
          `Column ${name} is called ${inLake[i]} in the lake, where names are the same in capitals and small letters, and have no control characters.`,
        ],
  );

/** Gives a new table's columns their ids: 1, 2, 3 … depth first. */
export function numberColumns(columns: LakeColumn[]): LakeColumn[] {
  let last = 0;
  const number = (column: LakeColumn): LakeColumn => ({ ...column, id: ++last, children: column.children.map(number) });
  return columns.map(number);
}
