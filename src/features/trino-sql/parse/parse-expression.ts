// Expressions, from the loosest sign to the tightest.

import type { Cursor } from "./cursor.ts";
import { unsupported } from "../refusal.ts";
import { parseFrame } from "./parse-frame.ts";
import { parseType } from "./parse-type.ts";
import { parseInterval } from "./parse-interval.ts";
import type { Expression, OrderItem, Window } from "./tree.ts";
import { CLOCKS, TYPES_OF_TEXTS } from "./value-words.ts";

export function parseExpression(cursor: Cursor): Expression {
  return cursor.deeper(() => parseOr(cursor));
}

function parseOr(cursor: Cursor): Expression {
  let left = parseAnd(cursor);
  while (cursor.accepts("OR")) left = { kind: "or", at: left.at, left, right: parseAnd(cursor) };
  return left;
}

function parseAnd(cursor: Cursor): Expression {
  let left = parseNot(cursor);
  while (cursor.accepts("AND")) left = { kind: "and", at: left.at, left, right: parseNot(cursor) };
  return left;
}

function parseNot(cursor: Cursor): Expression {
  const { at } = cursor.token;
  if (cursor.accepts("NOT")) return { kind: "not", at, of: cursor.deeper(() => parseNot(cursor)) };
  return parsePredicate(cursor);
}

const COMPARISONS = { "=": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=" } as const;

function parsePredicate(cursor: Cursor): Expression {
  let of = parseSum(cursor);
  for (;;) {
    const { at, text, kind } = cursor.token;
    if (kind === "sign" && Object.hasOwn(COMPARISONS, text)) {
      cursor.take();
      if (cursor.sees("ALL") || cursor.sees("ANY") || cursor.sees("SOME"))
        throw unsupported("A comparison with all or any of a query", at);
      const sign = COMPARISONS[text as keyof typeof COMPARISONS];
      of = { kind: "comparison", at, sign, left: of, right: parseSum(cursor) };
      continue;
    }
    if (cursor.accepts("IS")) {
      const isNegated = cursor.accepts("NOT");
      if (cursor.accepts("NULL")) of = { kind: "isNull", at, isNegated, of };
      else {
        cursor.expect("DISTINCT", "FROM");
        of = { kind: "distinct", at, isNegated, left: of, right: parseSum(cursor) };
      }
      continue;
    }
    const isNegated = cursor.sees("NOT") && ["BETWEEN", "IN", "LIKE"].includes(upperOf(cursor));
    if (isNegated) cursor.take();
    if (cursor.accepts("BETWEEN")) {
      const low = parseSum(cursor);
      cursor.expect("AND");
      of = { kind: "between", at, isNegated, of, low, high: parseSum(cursor) };
    } else if (cursor.accepts("IN")) of = { kind: "in", at, isNegated, of, among: parseAmong(cursor) };
    else if (cursor.accepts("LIKE")) {
      const pattern = parseSum(cursor);
      const escape = cursor.accepts("ESCAPE") ? parseSum(cursor) : undefined;
      of = { kind: "like", at, isNegated, of, pattern, ...(escape && { escape }) };
    } else return of;
  }
}

const upperOf = (cursor: Cursor): string => {
  const next = cursor.ahead(1);
  return next.kind === "word" ? next.upper : "";
};

function parseAmong(cursor: Cursor): Extract<Expression, { kind: "in" }>["among"] {
  cursor.expect("(");
  const among =
    cursor.sees("SELECT") || cursor.sees("WITH") || cursor.sees("VALUES")
      ? cursor.query()
      : cursor.list(() => parseExpression(cursor));
  cursor.expect(")");
  return among;
}

function parseSum(cursor: Cursor): Expression {
  let left = parseProduct(cursor);
  for (;;) {
    const { at, text } = cursor.token;
    if (!cursor.accepts("+") && !cursor.accepts("-") && !cursor.accepts("||")) return left;
    left = { kind: "arithmetic", at, sign: text as "+" | "-" | "||", left, right: parseProduct(cursor) };
  }
}

function parseProduct(cursor: Cursor): Expression {
  let left = parseUnary(cursor);
  for (;;) {
    const { at, text } = cursor.token;
    if (!cursor.accepts("*") && !cursor.accepts("/") && !cursor.accepts("%")) return left;
    left = { kind: "arithmetic", at, sign: text as "*" | "/" | "%", left, right: parseUnary(cursor) };
  }
}

function parseUnary(cursor: Cursor): Expression {
  const { at } = cursor.token;
  const signed = (): Expression => cursor.deeper(() => parseUnary(cursor));
  if (cursor.accepts("-")) return { kind: "minus", at, isSign: cursor.token.kind === "number", of: signed() };
  if (cursor.accepts("+")) return { kind: "plus", at, of: signed() };
  let of = parsePrimary(cursor);
  for (;;) {
    const { at: from } = cursor.token;
    if (cursor.accepts("[")) {
      of = { kind: "subscript", at: from, of, index: cursor.deeper(() => parseSum(cursor)) };
      cursor.expect("]");
    } else if (cursor.accepts("AT", "TIME", "ZONE")) of = { kind: "inZone", at: from, of, zone: parsePrimary(cursor) };
    else return of;
  }
}

function parsePrimary(cursor: Cursor): Expression {
  const { token } = cursor;
  const { at } = token;
  if (token.kind === "number" || token.kind === "string" || token.kind === "binary") {
    cursor.take();
    return { kind: token.kind, at, text: token.text };
  }
  if (cursor.accepts("?")) return { kind: "parameter", at, index: cursor.parameters++ };
  if (cursor.accepts("(")) return parseParenthesized(cursor, at);
  if (token.kind === "word") {
    const special = parseWord(cursor, token.upper, at);
    if (special) return special;
  }
  if (!cursor.seesName()) throw cursor.unexpected("<expression>");
  const path = cursor.names();
  if (!cursor.sees("(")) return { kind: "column", at, path };
  if (path.length > 1) throw unsupported("A function of a schema", at);
  return parseCall(cursor, path[0]!.text.toLowerCase(), at);
}

function parseParenthesized(cursor: Cursor, at: number): Expression {
  if (cursor.sees("SELECT") || cursor.sees("WITH") || cursor.sees("VALUES")) {
    const query = cursor.query();
    cursor.expect(")");
    return { kind: "scalar", at, query };
  }
  const of = parseExpression(cursor);
  if (cursor.sees(",")) throw unsupported("A row of values", at);
  cursor.expect(")");
  return of;
}

function parseWord(cursor: Cursor, word: string, at: number): Expression | undefined {
  const next = cursor.ahead(1);
  if (CLOCKS.includes(word)) {
    cursor.take();
    if (cursor.sees("(")) throw unsupported(`${word} with a number of digits`, at);
    return callOf(word.toLowerCase(), [], at);
  }
  if (TYPES_OF_TEXTS.includes(word) && next.kind === "string") {
    const type = { name: cursor.take().text.toLowerCase(), args: [], at };
    return { kind: "typed", at, type, text: cursor.string() };
  }
  switch (word) {
    case "ARRAY": {
      if (next.text !== "[") return undefined;
      cursor.take();
      cursor.expect("[");
      const of = cursor.sees("]") ? [] : cursor.list(() => parseExpression(cursor));
      cursor.expect("]");
      return { kind: "array", at, of };
    }
    case "NULL":
      cursor.take();
      return { kind: "null", at };
    case "TRUE":
    case "FALSE":
      cursor.take();
      return { kind: "boolean", at, value: word === "TRUE" };
    case "CASE":
      return parseCase(cursor, at);
    case "TRY_CAST":
    case "CAST": {
      if (next.text !== "(") return undefined;
      cursor.take();
      cursor.expect("(");
      const of = parseExpression(cursor);
      cursor.expect("AS");
      const type = parseType(cursor);
      cursor.expect(")");
      return { kind: word === "CAST" ? "cast" : "tryCast", at, of, type };
    }
    case "TRIM":
      cursor.take();
      cursor.accepts("(", "BOTH", "FROM") || cursor.expect("(");
      return callOf("trim", parseArguments(cursor), at);
    case "POSITION": {
      if (next.text !== "(") return undefined;
      cursor.take();
      cursor.expect("(");
      const sought = parseSum(cursor);
      cursor.expect("IN");
      const within = parseSum(cursor);
      cursor.expect(")");
      return callOf("strpos", [within, sought], at);
    }
    case "EXTRACT": {
      cursor.take();
      cursor.expect("(");
      const field = cursor.name().text.toLowerCase();
      cursor.expect("FROM");
      const of = parseExpression(cursor);
      cursor.expect(")");
      return { kind: "extract", at, field, of };
    }
    case "EXISTS": {
      cursor.take();
      cursor.expect("(");
      const query = cursor.query();
      cursor.expect(")");
      return { kind: "exists", at, query };
    }
    case "INTERVAL": {
      if (next.kind !== "string" && next.text !== "-" && next.text !== "+") return undefined;
      cursor.take();
      return parseInterval(cursor, at);
    }
  }
  return undefined;
}

function parseCase(cursor: Cursor, at: number): Expression {
  cursor.expect("CASE");
  const operand = cursor.sees("WHEN") ? undefined : parseExpression(cursor);
  const whens: { when: Expression; then: Expression }[] = [];
  while (cursor.accepts("WHEN")) {
    const when = parseExpression(cursor);
    cursor.expect("THEN");
    whens.push({ when, then: parseExpression(cursor) });
  }
  if (whens.length === 0) throw cursor.unexpected("WHEN");
  const otherwise = cursor.accepts("ELSE") ? parseExpression(cursor) : undefined;
  cursor.expect("END");
  return { kind: "case", at, whens, ...(operand && { operand }), ...(otherwise && { otherwise }) };
}

function parseCall(cursor: Cursor, name: string, at: number): Expression {
  cursor.expect("(");
  let [isStar, isDistinct] = [false, false];
  let args: Expression[] = [];
  if (cursor.accepts("*")) isStar = true;
  else if (!cursor.sees(")")) {
    isDistinct = cursor.accepts("DISTINCT");
    args = cursor.list(() => parseExpression(cursor));
    // `substring(s FROM 2 FOR 3)`
    if (name === "substring")
      for (const word of ["FROM", "FOR"]) if (cursor.accepts(word)) args.push(parseExpression(cursor));
  }
  const order = parseOrder(cursor);
  cursor.expect(")");
  let filter: Expression | undefined;
  if (cursor.accepts("FILTER")) {
    cursor.expect("(", "WHERE");
    filter = parseExpression(cursor);
    cursor.expect(")");
  }
  const over = cursor.accepts("OVER") ? parseWindow(cursor) : undefined;
  return { ...callOf(name, args, at), isStar, isDistinct, order, ...(filter && { filter }), ...(over && { over }) };
}

const callOf = (name: string, args: Expression[], at: number): Extract<Expression, { kind: "call" }> => {
  return { kind: "call", at, name, args, isStar: false, isDistinct: false, order: [] };
};

function parseArguments(cursor: Cursor): Expression[] {
  const args = cursor.list(() => parseExpression(cursor));
  cursor.expect(")");
  return args;
}

function parseWindow(cursor: Cursor): Window {
  cursor.expect("(");
  const partition = cursor.accepts("PARTITION", "BY") ? cursor.list(() => parseExpression(cursor)) : [];
  const order = parseOrder(cursor);
  const frame = parseFrame(cursor);
  cursor.expect(")");
  return { partition, order, ...(frame !== undefined && { frame }) };
}

export function parseOrder(cursor: Cursor): OrderItem[] {
  if (!cursor.accepts("ORDER", "BY")) return [];
  return cursor.list(() => {
    const of = parseExpression(cursor);
    const isDescending = cursor.accepts("DESC");
    if (!isDescending) cursor.accepts("ASC");
    const areNullsFirst = cursor.accepts("NULLS", "FIRST");
    if (!areNullsFirst) cursor.accepts("NULLS", "LAST");
    return { of, isDescending, areNullsFirst };
  });
}
