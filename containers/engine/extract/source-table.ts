// A source's table as the engine has it: its columns as the lake will hold them, and how each is read. The type of a
// column is decided by `plan-column.ts` of each kind of source, its place by `plan-columns.ts` here.

import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import type { CellWidth } from "./vector-column.ts";

/** A name as the source spells it: in MySQL a schema is a database. */
export type SourceTableName = { schema: string; name: string };

/** How a column is read where its values don't fit the type its declaration suggests. */
export type ReadAs = "varchar" | "json";

/** How a cell is written on the wire. Each kind of source knows some of these. */
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
   * The column as the lake holds it; the ids are those of a new table. Names differ from the source's only where DuckDB
   * takes two for one.
   */
  lake: LakeColumn;
  /** The expression that selects it, in the source's SQL. */
  select: string;
  reading: Reading;
  width: CellWidth;
  /** The type as which the column is read when a value does not fit; absent where every value fits. */
  fallback?: ReadAs;
  /**
   * The type that a lake made before {@link READ_VERSION} 1 has for a column without negative numbers. Every value
   * fits.
   */
  unsigned?: LakeColumn;
  /** The {@link READ_VERSION} from which on its values are read as they are now. */
  changedIn?: number;
};

/** Grows whenever values of some columns are read otherwise than before, in the same type. */
export const READ_VERSION = 1;

/**
 * The comments a source keeps on a table, and on its columns, by their names there. Long ones are cut, just beyond what
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
  /** Notes for people about how this table is read. */
  notes: string[];
};
