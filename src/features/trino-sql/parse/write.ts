// The statements that write, as a tree: what has no place in it is not understood, and refused.

import type { Expression, Name, Query, Relation, TypeName } from "./tree.ts";

/** A name of a schema or a table, with those before it. */
export type Target = { kind: "table" | "schema"; at: number; name: Name[] };

export type Assignment = { column: Name; value: Expression };
export type ColumnDefinition = { name: Name; type: TypeName; isNullable: boolean; comment?: string };

export type MergeCase = { at: number; condition?: Expression } & (
  | { kind: "update"; set: Assignment[] }
  | { kind: "delete" }
  | { kind: "insert"; columns: Name[]; values: Expression[] }
);

type Creation = { isReplacing: boolean; isIfMissing: boolean; comment?: string };

/** `columns` of an insertion are all of the table where none is named; a comment that is null is removed. */
export type Write = { at: number; target: Target } & (
  | (Creation & { kind: "createTable"; columns: ColumnDefinition[] })
  | (Creation & { kind: "createTableAs"; columns: Name[]; query: Query; hasRows: boolean })
  | { kind: "insert"; columns: Name[]; query: Query }
  | { kind: "delete"; where?: Expression }
  | { kind: "update"; set: Assignment[]; where?: Expression }
  | { kind: "merge"; alias?: Name; source: Relation; on: Expression; cases: MergeCase[] }
  | { kind: "truncate" }
  | { kind: "dropTable"; isIfThere: boolean }
  | { kind: "renameTable"; isIfThere: boolean; to: Name[] }
  | { kind: "addColumn"; isIfThere: boolean; isIfMissing: boolean; column: ColumnDefinition }
  | { kind: "dropColumn"; isIfThere: boolean; isColumnIfThere: boolean; column: Name }
  | { kind: "renameColumn"; isIfThere: boolean; column: Name; to: Name }
  | { kind: "setColumnType"; isIfThere: boolean; column: Name; type: TypeName }
  | { kind: "dropNotNull"; isIfThere: boolean; column: Name }
  | { kind: "commentTable"; comment: string | null }
  | { kind: "commentColumn"; column: Name; comment: string | null }
  | { kind: "createSchema"; isIfMissing: boolean }
  | { kind: "dropSchema"; isIfThere: boolean; isCascading: boolean }
);

export type WriteKind = Write["kind"];
export type WriteOf<Kind extends WriteKind> = Extract<Write, { kind: Kind }>;
