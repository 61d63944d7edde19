// Queries: their parts, relations and set operations.

import type { Cursor } from "./cursor.ts";
import { parseExpression, parseOrder } from "./parse-expression.ts";
import { unsupported } from "../refusal.ts";
import type { Body, Expression, Grouping, Name, Query, Relation, Select, SelectItem } from "./tree.ts";

export function parseQuery(cursor: Cursor): Query {
  return cursor.deeper(() => {
    const { at } = cursor.token;
    const ctes = parseCtes(cursor);
    const body = parseUnion(cursor);
    const order = parseOrder(cursor);
    const offset = cursor.accepts("OFFSET") ? parseCount(cursor) : undefined;
    if (offset && !cursor.accepts("ROWS")) cursor.accepts("ROW");
    const limit = parseLimit(cursor);
    return { at, ctes, body, order, ...(offset && { offset }), ...(limit && { limit }) };
  });
}

function parseLimit(cursor: Cursor): Expression | undefined {
  if (cursor.accepts("LIMIT")) return cursor.accepts("ALL") ? undefined : parseCount(cursor);
  const { at } = cursor.token;
  if (!cursor.accepts("FETCH")) return undefined;
  if (!cursor.accepts("FIRST")) cursor.expect("NEXT");
  const limit: Expression = cursor.token.kind === "number" ? parseCount(cursor) : { kind: "number", at, text: "1" };
  if (!cursor.accepts("ROWS")) cursor.expect("ROW");
  if (!cursor.accepts("ONLY")) throw unsupported("FETCH … WITH TIES", at);
  return limit;
}

function parseCount(cursor: Cursor): Expression {
  const { token } = cursor;
  if (token.kind === "number" && /^\d+$/.test(token.text)) {
    cursor.take();
    return { kind: "number", at: token.at, text: token.text };
  }
  if (cursor.accepts("?")) return { kind: "parameter", at: token.at, index: cursor.parameters++ };
  throw cursor.unexpected("<integer>");
}

function parseCtes(cursor: Cursor): Query["ctes"] {
  const { at } = cursor.token;
  if (!cursor.accepts("WITH")) return [];
  if (cursor.sees("RECURSIVE")) throw unsupported("WITH RECURSIVE", at);
  return cursor.list(() => {
    const name = cursor.name();
    const columns = cursor.sees("(") ? cursor.listInParentheses(() => cursor.name()) : [];
    cursor.expect("AS", "(");
    const query = parseQuery(cursor);
    cursor.expect(")");
    return { name, columns, query };
  });
}

function parseUnion(cursor: Cursor): Body {
  let left = parseIntersect(cursor);
  for (;;) {
    const { at } = cursor.token;
    const operation = cursor.accepts("UNION") ? "UNION" : cursor.accepts("EXCEPT") ? "EXCEPT" : undefined;
    if (!operation) return left;
    left = { kind: "set", at, operation, isAll: parseQuantifier(cursor), left, right: parseIntersect(cursor) };
  }
}

function parseIntersect(cursor: Cursor): Body {
  let left = parseBody(cursor);
  for (;;) {
    const { at } = cursor.token;
    if (!cursor.accepts("INTERSECT")) return left;
    left = { kind: "set", at, operation: "INTERSECT", isAll: parseQuantifier(cursor), left, right: parseBody(cursor) };
  }
}

function parseQuantifier(cursor: Cursor): boolean {
  if (cursor.accepts("ALL")) return true;
  cursor.accepts("DISTINCT");
  return false;
}

function parseBody(cursor: Cursor): Body {
  const { at } = cursor.token;
  if (cursor.accepts("VALUES")) return { kind: "values", at, rows: cursor.list(() => parseRow(cursor)) };
  if (cursor.accepts("TABLE")) return { kind: "table", at, name: cursor.names() };
  if (cursor.accepts("(")) {
    const query = parseQuery(cursor);
    cursor.expect(")");
    return { kind: "nested", at, query };
  }
  return parseSelect(cursor);
}

function parseRow(cursor: Cursor): Expression[] {
  return cursor.sees("(") ? cursor.listInParentheses(() => parseExpression(cursor)) : [parseExpression(cursor)];
}

function parseSelect(cursor: Cursor): Select {
  const { at } = cursor.token;
  cursor.expect("SELECT");
  const isDistinct = cursor.accepts("DISTINCT");
  if (!isDistinct) cursor.accepts("ALL");
  const items = cursor.list(() => parseItem(cursor));
  const from = cursor.accepts("FROM") ? cursor.list(() => parseRelation(cursor)) : [];
  const where = cursor.accepts("WHERE") ? parseExpression(cursor) : undefined;
  const groupBy = cursor.accepts("GROUP", "BY") ? parseGroups(cursor) : [];
  const having = cursor.accepts("HAVING") ? parseExpression(cursor) : undefined;
  if (cursor.sees("WINDOW")) throw unsupported("WINDOW", cursor.token.at);
  return { kind: "select", at, isDistinct, items, from, groupBy, ...(where && { where }), ...(having && { having }) };
}

function parseGroups(cursor: Cursor): Grouping[] {
  for (const word of ["ALL", "DISTINCT"]) if (cursor.sees(word)) throw unsupported(`GROUP BY ${word}`, cursor.token.at);
  return cursor.list(() => {
    const { at } = cursor.token;
    for (const name of ["ROLLUP", "CUBE"] as const)
      if (cursor.accepts(name)) {
        const of = cursor.listInParentheses(() => parseExpression(cursor));
        return { kind: "sets", at, name, sets: of.map((each) => [each]) };
      }
    if (cursor.accepts("GROUPING", "SETS"))
      return { kind: "sets", at, name: "GROUPING SETS", sets: cursor.listInParentheses(() => parseSet(cursor)) };
    return { kind: "one", of: parseExpression(cursor) };
  });
}

function parseSet(cursor: Cursor): Expression[] {
  if (!cursor.accepts("(")) return [parseExpression(cursor)];
  const set = cursor.sees(")") ? [] : cursor.list(() => parseExpression(cursor));
  cursor.expect(")");
  return set;
}

function parseItem(cursor: Cursor): SelectItem {
  const { at } = cursor.token;
  const of = starredNames(cursor);
  if (of) return { kind: "all", at, of };
  const expression = parseExpression(cursor);
  const alias = cursor.accepts("AS") || cursor.seesName() ? cursor.name() : undefined;
  return { kind: "one", at, of: expression, ...(alias && { alias }) };
}

/** The names before the star of `*`, `t.*` or `s.t.*`. */
function starredNames(cursor: Cursor): Name[] | undefined {
  let count = 0;
  while (["word", "name"].includes(cursor.ahead(count).kind) && cursor.ahead(count + 1).text === ".") count += 2;
  const star = cursor.ahead(count);
  if (star.kind !== "sign" || star.text !== "*") return undefined;
  const names: Name[] = [];
  for (let i = 0; i < count; i += 2) {
    names.push(cursor.name());
    cursor.expect(".");
  }
  cursor.expect("*");
  return names;
}

export function parseRelation(cursor: Cursor): Relation {
  return cursor.deeper(() => {
    let left = parsePrimary(cursor);
    for (;;) {
      const { at } = cursor.token;
      if (cursor.sees("NATURAL")) throw unsupported("NATURAL JOIN", at);
      if (cursor.accepts("CROSS", "JOIN")) {
        left = { kind: "join", at, join: "CROSS", left, right: parsePrimary(cursor) };
        continue;
      }
      const join = parseJoin(cursor);
      if (!join) return left;
      const right = parseRelation(cursor);
      if (cursor.accepts("ON")) left = { kind: "join", at, join, left, right, on: parseExpression(cursor) };
      else {
        cursor.expect("USING");
        left = { kind: "join", at, join, left, right, using: cursor.listInParentheses(() => cursor.name()) };
      }
    }
  });
}

function parseJoin(cursor: Cursor): "INNER" | "LEFT" | "RIGHT" | "FULL" | undefined {
  if (cursor.accepts("JOIN") || cursor.accepts("INNER", "JOIN")) return "INNER";
  for (const join of ["LEFT", "RIGHT", "FULL"] as const) {
    if (!cursor.accepts(join)) continue;
    cursor.accepts("OUTER");
    cursor.expect("JOIN");
    return join;
  }
  return undefined;
}

function parsePrimary(cursor: Cursor): Relation {
  const { at } = cursor.token;
  if (cursor.accepts("UNNEST")) {
    const of = cursor.listInParentheses(() => parseExpression(cursor));
    const hasOrdinality = cursor.accepts("WITH", "ORDINALITY");
    return { kind: "unnest", at, of, hasOrdinality, ...parseAlias(cursor) };
  }
  for (const word of ["LATERAL", "JSON_TABLE", "TABLE"])
    if (cursor.sees(word, "(") || (word === "LATERAL" && cursor.sees(word))) throw unsupported(word, at);
  if (!cursor.accepts("(")) {
    const name = cursor.names();
    if (cursor.sees("FOR")) throw unsupported("A table at another version", cursor.token.at);
    return { kind: "table", at, name, ...parseAlias(cursor) };
  }
  if (
    cursor.sees("SELECT") ||
    cursor.sees("WITH") ||
    cursor.sees("VALUES") ||
    cursor.sees("TABLE") ||
    cursor.sees("(")
  ) {
    const query = parseQuery(cursor);
    cursor.expect(")");
    return { kind: "query", at, query, ...parseAlias(cursor) };
  }
  const relation = parseRelation(cursor);
  cursor.expect(")");
  return relation;
}

function parseAlias(cursor: Cursor): { alias?: Name; columns: Name[] } {
  if (cursor.sees("TABLESAMPLE") || cursor.sees("MATCH_RECOGNIZE"))
    throw unsupported(cursor.token.text, cursor.token.at);
  const isCut = ["OFFSET", "LIMIT", "FETCH", "WINDOW", "FOR"].some((word) => cursor.sees(word));
  const alias = cursor.accepts("AS") || (cursor.seesName() && !isCut) ? cursor.name() : undefined;
  if (!alias) return { columns: [] };
  const columns = cursor.sees("(") ? cursor.listInParentheses(() => cursor.name()) : [];
  return { alias, columns };
}
