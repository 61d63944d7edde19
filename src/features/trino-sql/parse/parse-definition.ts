// Statements that write definitions: CREATE, DROP, ALTER and COMMENT.

import { Refusal, unsupported } from "../refusal.ts";
import type { Cursor } from "./cursor.ts";
import { parseQuery } from "./parse-query.ts";
import { parseType } from "./parse-type.ts";
import type { Name } from "./tree.ts";
import type { ColumnDefinition, Target, Write } from "./write.ts";

const NO_VIEWS = "A lake has no views: make a table of it (in dbt, `+materialized: table`).";

function targetOf(cursor: Cursor, kind: Target["kind"]): Target {
  const { at } = cursor.token;
  const name = cursor.names();
  const countMax = kind === "table" ? 3 : 2;
  if (name.length > countMax) throw new Refusal("SYNTAX_ERROR", `Too many dots in a ${kind}'s name.`, at);
  return { kind, at, name };
}

function refuseViews(cursor: Cursor): void {
  const { at } = cursor.token;
  if (cursor.sees("VIEW") || cursor.sees("MATERIALIZED", "VIEW")) throw new Refusal("NOT_SUPPORTED", NO_VIEWS, at);
}

/** A property has no meaning here, so that none is taken. */
function refuseProperties(cursor: Cursor): void {
  if (!cursor.sees("WITH", "(")) return;
  const property = cursor.ahead(2);
  throw unsupported(`The property ${property.text}`, property.at);
}

/** `COMMENT '…'`, where it comes next. */
const parseOwnComment = (cursor: Cursor): { comment?: string } =>
  cursor.accepts("COMMENT") ? { comment: cursor.string() } : {};

export function parseCreate(cursor: Cursor, at: number): Write {
  const isReplacing = cursor.accepts("OR", "REPLACE");
  refuseViews(cursor);
  if (!isReplacing && cursor.accepts("SCHEMA")) {
    const isIfMissing = cursor.accepts("IF", "NOT", "EXISTS");
    const target = targetOf(cursor, "schema");
    if (cursor.sees("AUTHORIZATION")) throw unsupported("AUTHORIZATION", cursor.token.at);
    refuseProperties(cursor);
    return { kind: "createSchema", at, target, isIfMissing };
  }
  if (!cursor.accepts("TABLE")) throw unsupported(`CREATE ${cursor.token.text.toUpperCase()}`, at);
  const isIfMissing = cursor.accepts("IF", "NOT", "EXISTS");
  const target = targetOf(cursor, "table");
  if (isReplacing && isIfMissing) throw unsupported("OR REPLACE with IF NOT EXISTS", at);
  return parseTable(cursor, { at, target, isReplacing, isIfMissing });
}

type TableHead = { at: number; target: Target; isReplacing: boolean; isIfMissing: boolean };

/** A list of names alone is before a query; one with types is the table's columns. */
function parseTable(cursor: Cursor, head: TableHead): Write {
  const hasList = cursor.sees("(");
  const isOfNames = hasList && [",", ")"].includes(cursor.ahead(2).text);
  const columns = isOfNames ? cursor.listInParentheses(() => cursor.name()) : [];
  const defined = hasList && !isOfNames ? cursor.listInParentheses(() => parseColumn(cursor)) : undefined;
  const own = { ...head, ...parseOwnComment(cursor) };
  refuseProperties(cursor);
  if (defined) return { kind: "createTable", ...own, columns: defined };
  cursor.expect("AS");
  const query = parseQuery(cursor);
  const hasRows = !cursor.accepts("WITH", "NO", "DATA");
  if (hasRows) cursor.accepts("WITH", "DATA");
  return { kind: "createTableAs", ...own, columns, query, hasRows };
}

function parseColumn(cursor: Cursor): ColumnDefinition {
  if (cursor.sees("LIKE")) throw unsupported("LIKE within a definition", cursor.token.at);
  const name = cursor.name();
  const type = parseType(cursor);
  if (cursor.sees("DEFAULT")) throw unsupported("DEFAULT", cursor.token.at);
  const isNullable = !cursor.accepts("NOT", "NULL");
  const comment = parseOwnComment(cursor);
  refuseProperties(cursor);
  return { name, type, isNullable, ...comment };
}

export function parseDrop(cursor: Cursor, at: number): Write {
  refuseViews(cursor);
  const kind = cursor.accepts("SCHEMA") ? "schema" : "table";
  if (kind === "table" && !cursor.accepts("TABLE")) throw unsupported(`DROP ${cursor.token.text.toUpperCase()}`, at);
  const isIfThere = cursor.accepts("IF", "EXISTS");
  const target = targetOf(cursor, kind);
  if (kind === "table") return { kind: "dropTable", at, target, isIfThere };
  const isCascading = cursor.accepts("CASCADE");
  if (!isCascading) cursor.accepts("RESTRICT");
  return { kind: "dropSchema", at, target, isIfThere, isCascading };
}

export function parseAlter(cursor: Cursor, at: number): Write {
  refuseViews(cursor);
  if (!cursor.accepts("TABLE")) throw unsupported(`ALTER ${cursor.token.text.toUpperCase()}`, at);
  const isIfThere = cursor.accepts("IF", "EXISTS");
  const head = { at, target: targetOf(cursor, "table"), isIfThere };
  if (cursor.accepts("RENAME", "TO")) return { kind: "renameTable", ...head, to: targetOf(cursor, "table").name };
  if (cursor.accepts("ADD", "COLUMN")) {
    const isIfMissing = cursor.accepts("IF", "NOT", "EXISTS");
    return { kind: "addColumn", ...head, isIfMissing, column: parseColumn(cursor) };
  }
  if (cursor.accepts("DROP", "COLUMN")) {
    const isColumnIfThere = cursor.accepts("IF", "EXISTS");
    return { kind: "dropColumn", ...head, isColumnIfThere, column: cursor.name() };
  }
  if (cursor.accepts("RENAME", "COLUMN")) {
    const column = cursor.name();
    cursor.expect("TO");
    return { kind: "renameColumn", ...head, column, to: cursor.name() };
  }
  if (cursor.accepts("ALTER", "COLUMN")) {
    const column = cursor.name();
    if (cursor.accepts("SET", "DATA", "TYPE"))
      return { kind: "setColumnType", ...head, column, type: parseType(cursor) };
    cursor.expect("DROP", "NOT", "NULL");
    return { kind: "dropNotNull", ...head, column };
  }
  throw unsupported(`ALTER TABLE … ${cursor.token.text.toUpperCase()}`, cursor.token.at);
}

export function parseComment(cursor: Cursor, at: number): Write {
  refuseViews(cursor);
  const isOfTable = cursor.accepts("TABLE");
  if (!isOfTable) cursor.expect("COLUMN");
  const { at: from } = cursor.token;
  const name = cursor.names();
  cursor.expect("IS");
  const comment = cursor.accepts("NULL") ? null : cursor.string();
  const tableOf = (path: Name[]): Target => ({ kind: "table", at: from, name: path });
  if (isOfTable) return { kind: "commentTable", at, target: tableOf(name), comment };
  const column = name.at(-1)!;
  if (name.length < 2) throw new Refusal("SYNTAX_ERROR", "A column's name has its table's before it.", from);
  return { kind: "commentColumn", at, target: tableOf(name.slice(0, -1)), column, comment };
}
