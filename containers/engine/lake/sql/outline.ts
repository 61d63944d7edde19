// The outline of a statement is its text without its plain values. The gate judges statements of one outline alike.
//
// Plain values are decimal numbers and short quoted texts of letters, digits and a few signs. A value counts only where
// DuckDB's own parser has found a constant of that value at that place: then it reads any other plain value of the kind
// there as a constant, too, and the rest of the statement as before. Pure.

import { textIsUnsteady } from "./gate-functions.ts";
import type { LakeText } from "./sql-text.ts";
import { positionIn, type Node } from "./syntax-tree.ts";

const CHARACTERS_MAX = 10_000;
const VALUES_MAX = 200;

/** A value as it is written, and where it begins, in UTF-16 units. */
export type PlainValue = { at: number; text: string };

/** `text` has a mark in the place of each value. */
export type Outline = { text: string; values: readonly PlainValue[] };

/**
 * The place of a constant. `isFilter`: the constant decides which rows there are, and neither the names nor the types
 * of the result's columns.
 */
export type PlainPlace = { at: number; length: number; isFilter: boolean };

/** The kinds of plain values. A number of ten digits may be of another type, and is another kind to DuckDB's lexer. */
const KINDS = [/^\d{1,9}$/, /^\d{1,8}\.\d{1,8}$/, /^'(?:[\w :.+]|-(?!-)){0,100}'$/] as const;
const MARK = "\0";

/** Undefined where the text is too long, or has more values than an outline may. */
export function outlineOf(statement: LakeText): Outline | undefined {
  const { sql } = statement;
  if (sql.length > CHARACTERS_MAX || sql.includes(MARK)) return undefined;
  const values: PlainValue[] = [];
  let text = "";
  let from = 0;
  for (const token of statement.tokens) {
    const kind = KINDS.findIndex((pattern) => pattern.test(token.text));
    // A text that names something unsteady decides whether the statement is steady.
    if (kind < 0 || textIsUnsteady(token.text)) continue;
    if (values.length === VALUES_MAX) return undefined;
    values.push({ at: token.at, text: token.text });
    text += `${sql.slice(from, token.at)}${MARK}${kind}`;
    from = token.end;
  }
  return { text: text + sql.slice(from), values };
}

/** `text` without what stands in `places`, which are in the order of the text. */
export function without(text: string, places: readonly PlainPlace[]): string {
  let rest = "";
  let from = 0;
  for (const { at, length } of places) {
    rest += text.slice(from, at) + MARK;
    from = at + length;
  }
  return rest + text.slice(from);
}

/** The plain values of `body` which `tree`, its syntax tree, has as constants; none where the text has no outline. */
export function plainPlaces(tree: unknown, statement: LakeText): PlainPlace[] {
  const body = statement.sql;
  const outline = outlineOf(statement);
  if (!outline || outline.values.length === 0) return [];
  const constants = constantsOf(tree, body);
  return outline.values.flatMap(({ at, text }) => {
    const isSigned = /-[ ]?$/.test(body.slice(Math.max(0, at - 2), at));
    const signAt = isSigned ? body.lastIndexOf("-", at) : -1;
    const found = [...(constants.get(at) ?? []), ...(constants.get(signAt) ?? [])];
    const isPlain = found.length > 0 && found.every(({ value }) => isValue(value, text));
    return isPlain ? [{ at, length: text.length, isFilter: found.every(({ isFilter }) => isFilter) }] : [];
  });
}

type Constant = { value: Node; isFilter: boolean };

/**
 * The clauses that no column's name or type depends on. The condition of an aggregate is none: DuckDB names the column
 * by it, and a column of a SELECT within a SELECT's list by the whole of that.
 */
const FILTERS = new Set(["where_clause", "having", "qualify", "condition", "limit", "offset"]);

/** The constants of a tree, by where they begin. */
function constantsOf(tree: unknown, body: string): Map<number, Constant[]> {
  const constants = new Map<number, Constant[]>();
  const visit = (node: unknown, within: "filter" | "columns" | undefined): void => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach((child) => visit(child, within));
    const { class: kind, query_location: bytes, value, ...rest } = node as Node;
    const at = kind === "CONSTANT" && typeof bytes === "number" ? positionIn(body, bytes, -1) : undefined;
    if (at !== undefined) {
      const constant = { value: value as Node, isFilter: within === "filter" };
      constants.set(at, [...(constants.get(at) ?? []), constant]);
    } else
      for (const [key, child] of Object.entries(rest))
        visit(child, within ?? (FILTERS.has(key) ? "filter" : key === "select_list" ? "columns" : undefined));
  };
  visit(tree, undefined);
  return constants;
}

/** Whether DuckDB has read `text` as this value, perhaps with the sign before it. */
function isValue({ type, value, is_null: isNull }: Node, text: string): boolean {
  const { id, type_info: info } = type as { id?: unknown; type_info?: { scale?: unknown } };
  if (isNull === true) return false;
  if (text.startsWith("'")) return id === "VARCHAR" && (value ?? "") === text.slice(1, -1);
  const [digits = "", fraction] = text.split(".");
  // DuckDB leaves out a zero and an empty text.
  if (typeof (value ?? 0) !== "number" || Math.abs(Number(value ?? 0)) !== Number(digits + (fraction ?? "")))
    return false;
  return fraction === undefined ? id === "INTEGER" : id === "DECIMAL" && Number(info?.scale) === fraction.length;
}
