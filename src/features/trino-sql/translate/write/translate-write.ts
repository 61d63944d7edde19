// A statement that writes, in the SQL of `/v1/query`, and what Trino calls it in its answer.

import type { Write, WriteKind, WriteOf } from "../../parse/write.ts";
import { Refusal } from "../../refusal.ts";
import type { Place } from "../place.ts";
import type { Table } from "../scope.ts";
import { placeOf, type Statement } from "../translate.ts";
import {
  translateAlter,
  translateComment,
  translateCreate,
  translateCreateAs,
  translateDrop,
  translateSchema,
} from "./definitions.ts";
import { translateDelete, translateInsert, translateMerge, translateUpdate } from "./rows.ts";
import type { FindTarget, WriteTarget } from "./target.ts";

/** What Trino calls the statement. `isCounted`: the answer has the number of rows. */
export type Update = { updateType: string; isCounted: boolean };

const counted = (updateType: string): Update => ({ updateType, isCounted: true });
const plain = (updateType: string): Update => ({ updateType, isCounted: false });

export const UPDATES: Record<WriteKind, Update> = {
  createTableAs: counted("CREATE TABLE"),
  insert: counted("INSERT"),
  delete: counted("DELETE"),
  update: counted("UPDATE"),
  merge: counted("MERGE"),
  truncate: plain("TRUNCATE TABLE"),
  createTable: plain("CREATE TABLE"),
  dropTable: plain("DROP TABLE"),
  renameTable: plain("RENAME TABLE"),
  addColumn: plain("ADD COLUMN"),
  dropColumn: plain("DROP COLUMN"),
  renameColumn: plain("RENAME COLUMN"),
  setColumnType: plain("SET COLUMN TYPE"),
  dropNotNull: plain("DROP NOT NULL CONSTRAINT"),
  commentTable: plain("COMMENT"),
  commentColumn: plain("COMMENT"),
  createSchema: plain("CREATE SCHEMA"),
  dropSchema: plain("DROP SCHEMA"),
};

export type WriteStatement = Statement & {
  findTarget: FindTarget;
  /** The schema as the lake spells it; undefined where there is none. */
  findSchema: (name: Write["target"]["name"]) => string | undefined;
};

/** Throws a {@link Refusal} for what is not proven to write the same. */
export function translateWrite(write: Write, { findTarget, findSchema, ...statement }: WriteStatement): string {
  const place = placeOf(statement);
  switch (write.kind) {
    case "createSchema":
    case "dropSchema":
      return translateSchema(write, findSchema(write.target.name));
    case "createTable":
      return translateCreate(write, findTarget(write.target.name));
    case "createTableAs":
      return translateCreateAs(write, findTarget(write.target.name), place);
    case "dropTable":
      return translateDrop(write, needed(write, findTarget, write.isIfThere));
    case "commentTable":
    case "commentColumn":
      return translateComment(write, needed(write, findTarget));
    case "truncate":
      return `TRUNCATE ${needed(write, findTarget).sql}`;
    case "insert":
    case "delete":
    case "update":
    case "merge":
      return translateRows(write, needed(write, findTarget).table, place);
    default:
      return translateAlter(write, needed(write, findTarget, write.isIfThere), findTarget);
  }
}

type RowWrite = WriteOf<"insert" | "delete" | "update" | "merge">;

function translateRows(write: RowWrite, table: Table, place: Place): string {
  switch (write.kind) {
    case "insert":
      return translateInsert(write, table, place);
    case "delete":
      return translateDelete(write, table, place);
    case "update":
      return translateUpdate(write, table, place);
    case "merge":
      return translateMerge(write, table, place);
  }
}

type Needed = WriteTarget & { table: Table };

function needed(write: Write, findTarget: FindTarget): Needed;
function needed(write: Write, findTarget: FindTarget, isIfThere: boolean): WriteTarget;
function needed({ target: { name, at } }: Write, findTarget: FindTarget, isIfThere = false): WriteTarget {
  const found = findTarget(name, isIfThere);
  if (found.table || isIfThere) return found;
  const text = name.map((each) => each.text.toLowerCase()).join(".");
  throw new Refusal("TABLE_NOT_FOUND", `Table '${text}' does not exist`, at);
}
