// A statement that writes, in parts: the table, the kind of change, and its pieces of SQL.

import type { NameParts, Piece } from "./token-cursor.ts";

/** `name = expression`; an expression that is undefined is DEFAULT. */
export type Assignment = { column: string; value: Piece | undefined; at: number };

export type ColumnDefinition = { name: string; type: Piece; nullable: boolean; comment: string | null };

export type TableChange =
  | { kind: "add"; ifMissing: boolean; column: ColumnDefinition }
  | { kind: "drop"; ifExists: boolean; column: string }
  | { kind: "rename"; column: string; to: string }
  | { kind: "rename_table"; to: string }
  | { kind: "set_type"; column: string; type: Piece }
  | { kind: "set_nullable"; column: string; nullable: boolean };

export type MergeAction =
  | { kind: "delete" }
  | { kind: "nothing" }
  /** By position or by name, all columns; by assignment, those named. */
  | { kind: "update"; set: Assignment[] | "position" | "name" }
  | { kind: "insert"; columns: string[] | undefined; values: Array<Piece | undefined> | "position" | "name" };

export type MergeClause = {
  on: "matched" | "not_matched" | "not_matched_by_source";
  condition: Piece | undefined;
  action: MergeAction;
  at: number;
};

/** The common beginning of all changes of rows. `ctes`: `WITH …`, as it was written. */
type Rows = { table: NameParts; alias: string | undefined; ctes: Piece | undefined };

/** `sourceName`: where the source is a table without an alias, its whole name. */
export type RowStatement =
  | (Rows & { kind: "delete"; using: Piece | undefined; where: Piece | undefined })
  | (Rows & { kind: "update"; set: Assignment[]; from: Piece | undefined; where: Piece | undefined })
  | (Rows & {
      kind: "merge";
      source: Piece;
      sourceAlias: string;
      sourceName: NameParts | undefined;
      on: Piece | { columns: string[] };
      clauses: MergeClause[];
    });

type Creation = { table: NameParts; orReplace: boolean; ifMissing: boolean; comment: string | null };

export type WriteStatement =
  | RowStatement
  | {
      kind: "insert";
      table: NameParts;
      ctes: Piece | undefined;
      columns: string[] | undefined;
      byName: boolean;
      query: Piece | "defaults";
    }
  | { kind: "truncate"; table: NameParts }
  | (Creation & { kind: "create_table"; columns: ColumnDefinition[] })
  | (Creation & { kind: "create_table_as"; names: string[]; query: Piece; withRows: boolean })
  | { kind: "drop_table"; table: NameParts; ifExists: boolean }
  | { kind: "alter_table"; table: NameParts; ifExists: boolean; change: TableChange }
  /** Without a column the comment is the table's; null removes it. */
  | { kind: "comment"; table: NameParts; column: string | undefined; comment: string | null }
  | { kind: "create_schema"; schema: NameParts; ifMissing: boolean }
  | { kind: "drop_schema"; schema: NameParts; ifExists: boolean; cascade: boolean };
