// Statements that write rows; those that write definitions are in parse-definition.ts.

import type { Cursor } from "./cursor.ts";
import { parseAlter, parseComment, parseCreate, parseDrop } from "./parse-definition.ts";
import { parseExpression } from "./parse-expression.ts";
import { parseQuery, parseRelation } from "./parse-query.ts";
import type { Expression, Name } from "./tree.ts";
import type { Assignment, MergeCase, Target, Write } from "./write.ts";

/** Undefined where the statement begins like none of these. */
export function parseWrite(cursor: Cursor): Write | undefined {
  const { at } = cursor.token;
  if (cursor.accepts("INSERT", "INTO")) return parseInsert(cursor, at);
  if (cursor.accepts("DELETE", "FROM")) {
    const target = tableOf(cursor);
    return { kind: "delete", at, target, ...parseWhere(cursor) };
  }
  if (cursor.accepts("UPDATE")) {
    const target = tableOf(cursor);
    cursor.expect("SET");
    return { kind: "update", at, target, set: parseAssignments(cursor), ...parseWhere(cursor) };
  }
  if (cursor.accepts("MERGE", "INTO")) return parseMerge(cursor, at);
  if (cursor.accepts("TRUNCATE", "TABLE")) return { kind: "truncate", at, target: tableOf(cursor) };
  if (cursor.accepts("CREATE")) return parseCreate(cursor, at);
  if (cursor.accepts("DROP")) return parseDrop(cursor, at);
  if (cursor.accepts("ALTER")) return parseAlter(cursor, at);
  if (cursor.accepts("COMMENT", "ON")) return parseComment(cursor, at);
  return undefined;
}

function tableOf(cursor: Cursor): Target {
  const { at } = cursor.token;
  return { kind: "table", at, name: cursor.names() };
}

function parseInsert(cursor: Cursor, at: number): Write {
  const target = tableOf(cursor);
  const columns = seesColumns(cursor) ? cursor.listInParentheses(() => cursor.name()) : [];
  return { kind: "insert", at, target, columns, query: parseQuery(cursor) };
}

/** Whether the parenthesis that comes next holds names, and not a query. */
const seesColumns = (cursor: Cursor): boolean =>
  cursor.sees("(") && !["SELECT", "WITH", "VALUES", "TABLE", "("].some((word) => cursor.sees("(", word));

const parseWhere = (cursor: Cursor): { where?: Expression } =>
  cursor.accepts("WHERE") ? { where: parseExpression(cursor) } : {};

const parseAssignments = (cursor: Cursor): Assignment[] =>
  cursor.list(() => {
    const column = cursor.name();
    cursor.expect("=");
    return { column, value: parseExpression(cursor) };
  });

function parseMerge(cursor: Cursor, at: number): Write {
  const target = tableOf(cursor);
  const alias = cursor.accepts("AS") || !cursor.sees("USING") ? cursor.name() : undefined;
  cursor.expect("USING");
  const source = parseRelation(cursor);
  cursor.expect("ON");
  const on = parseExpression(cursor);
  const cases: MergeCase[] = [];
  while (cursor.sees("WHEN")) cases.push(parseCase(cursor));
  if (cases.length === 0) throw cursor.unexpected("WHEN");
  return { kind: "merge", at, target, source, on, cases, ...(alias && { alias }) };
}

function parseCase(cursor: Cursor): MergeCase {
  const { at } = cursor.token;
  cursor.expect("WHEN");
  const isMatched = !cursor.accepts("NOT");
  cursor.expect("MATCHED");
  const head = { at, ...(cursor.accepts("AND") && { condition: parseExpression(cursor) }) };
  cursor.expect("THEN");
  if (!isMatched) {
    cursor.expect("INSERT");
    const columns: Name[] = cursor.sees("(") ? cursor.listInParentheses(() => cursor.name()) : [];
    cursor.expect("VALUES");
    return { kind: "insert", ...head, columns, values: cursor.listInParentheses(() => parseExpression(cursor)) };
  }
  if (cursor.accepts("DELETE")) return { kind: "delete", ...head };
  cursor.expect("UPDATE", "SET");
  return { kind: "update", ...head, set: parseAssignments(cursor) };
}
