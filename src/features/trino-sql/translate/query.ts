// Queries in DuckDB's SQL. Every column of a query is named c0, c1, … there, and every relation r0, r1, …: no name of
// the statement's own is left but those of tables and their columns.

import { Refusal, unsupported } from "../refusal.ts";
import { findColumn, isNamed, renamed, type Field, type TranslatedRelation } from "./scope.ts";
import { translateExpression } from "./expression.ts";
import { orderOf, translateBoolean, type Column, type Means, type Place, type Translated } from "./place.ts";
import { translateRelation } from "./relation.ts";
import type { Body, Expression, Grouping, Name, OrderItem, Query, Select } from "../parse/tree.ts";
import { castTo, coerce, mismatch, type Typed } from "./typed.ts";
import { requireComparable } from "./values/comparable.ts";
import { commonType, isSame, nameOf, type Type } from "../trino-types.ts";

export function translateQuery(query: Query, outer: Place): Translated {
  const ctes = new Map(outer.ctes);
  const withs = query.ctes.map(({ name, columns, query: of }) => {
    const inner = translateQuery(of, { ...outer, ctes });
    const named = renamed(inner.columns, columns, name.at);
    const sql = outer.means.nextRelation();
    ctes.set(name.text.toLowerCase(), { sql, columns: named });
    return `${sql} AS (${inner.sql})`;
  });
  const place = { ...outer, ctes, beside: [] };
  const body = translateBody(query.body, place, query.order);
  const parts = [withs.length > 0 ? `WITH ${withs.join(", ")} ` : "", body.sql];
  if (body.order.length > 0) parts.push(` ORDER BY ${body.order.join(", ")}`);
  if (query.limit) parts.push(` LIMIT ${countOf(query.limit, outer.means)}`);
  if (query.offset) parts.push(` OFFSET ${countOf(query.offset, outer.means)}`);
  return { sql: parts.join(""), columns: body.columns };
}

function countOf(expression: Expression, { parameters }: Means): string {
  const of = expression.kind === "parameter" ? (parameters ? parameters[expression.index] : undefined) : expression;
  // Without its values a statement is only described.
  if (!of) return "0";
  if (of.kind === "number" && /^\d+$/.test(of.text)) return of.text;
  if (of.kind === "typed" && /^\d+$/.test(of.text)) return of.text;
  throw new Refusal("TYPE_MISMATCH", "LIMIT and OFFSET take a number.", expression.at);
}

type OrderKey = Parameters<typeof orderOf>[1];
type TranslatedBody = Translated & { order: string[] };

function translateBody(body: Body, place: Place, order: readonly OrderItem[]): TranslatedBody {
  if (body.kind === "select") return translateSelect(body, place, order);
  const translated = translateRows(body, place);
  return { ...translated, order: order.map((item) => orderOf(item, ordinalOf(item.of, translated.columns))) };
}

function translateRows(body: Exclude<Body, { kind: "select" }>, place: Place): Translated {
  switch (body.kind) {
    case "nested": {
      const { sql, columns } = translateQuery(body.query, place);
      return { sql: `SELECT * FROM (${sql}) AS ${place.means.nextRelation()}`, columns };
    }
    case "table": {
      const { sql, fields } = translateRelation({ kind: "table", at: body.at, name: body.name, columns: [] }, place);
      const all = fields.filter(isReadable);
      return { sql: `SELECT ${all.map((field, i) => `${field.sql} AS c${i}`).join(", ")} FROM ${sql}`, columns: all };
    }
    case "values":
      return translateValues(body.rows, place, body.at);
    case "set":
      return translateSet(body, place);
  }
}

function translateValues(rows: readonly Expression[][], place: Place, at: number): Translated {
  const typed = rows.map((row) => row.map((each) => translateExpression(each, place)));
  const [first = []] = typed;
  if (typed.some(({ length }) => length !== first.length)) throw mismatch("The rows have not as many values each.", at);
  const types = first.map((_, i) => typed.map((row) => row[i]!).reduce(commonOf, undefined as Type | undefined)!);
  const sql = typed.map((row) => `(${row.map((each, i) => castTo(coerce(each, types[i]!), types[i]!)).join(", ")})`);
  const names = types.map((_, i) => `c${i}`).join(", ");
  const columns = types.map((type) => ({ name: undefined, type }));
  return { sql: `SELECT * FROM (VALUES ${sql.join(", ")}) AS ${place.means.nextRelation()}(${names})`, columns };
}

function commonOf(type: Type | undefined, { type: other, at }: Typed): Type {
  const common = type ? commonType(type, other) : other;
  if (!common) throw mismatch(`${nameOf(type!)} and ${nameOf(other)} are in one column.`, at);
  return common;
}

function translateSet(body: Extract<Body, { kind: "set" }>, place: Place): Translated {
  const [left, right] = [translateBody(body.left, place, []), translateBody(body.right, place, [])];
  if (left.columns.length !== right.columns.length)
    throw mismatch(
      `${body.operation} query has different number of fields: ${left.columns.length}, ${right.columns.length}`,
      body.at,
    );
  const columns = left.columns.map(({ name, type }, i) => {
    const common = commonType(type, right.columns[i]!.type);
    if (!common) throw mismatch(`column ${i + 1} in ${body.operation} query has incompatible types`, body.at);
    if (body.operation !== "UNION" || !body.isAll) requireComparable(common, body.at);
    return { name, type: common };
  });
  const [one, other] = [left, right].map((side) => retyped(side, columns, place, body.at));
  return { sql: `${one} ${body.operation}${body.isAll ? " ALL" : ""} ${other}`, columns };
}

/** A query whose columns have these types. */
function retyped({ sql, columns }: Translated, into: readonly Column[], { means }: Place, at: number): string {
  const alias = means.nextRelation();
  const items = into.map(({ type }, i) => {
    const typed = { sql: `${alias}.c${i}`, type: columns[i]!.type, at };
    const changed = isSame(typed.type, type) ? typed.sql : coerce(typed, type);
    return `${changed} AS c${i}`;
  });
  return `(SELECT ${items.join(", ")} FROM (${sql}) AS ${alias})`;
}

function translateSelect(select: Select, outer: Place, order: readonly OrderItem[]): TranslatedBody {
  const from: TranslatedRelation[] = [];
  for (const each of select.from)
    from.push(translateRelation(each, { ...outer, beside: from.flatMap(({ relations }) => relations) }));
  const relations = from.flatMap((each) => each.relations);
  const place: Place = { ...outer, scope: { relations, outer: outer.scope } };
  const items = select.items.flatMap((item): (Typed & Pick<Column, "name" | "isAliased">)[] => {
    if (item.kind === "all") return allOf(item.of, from, item.at);
    const typed = translateExpression(item.of, place);
    const name = item.alias?.text ?? (item.of.kind === "column" ? item.of.path.at(-1)!.text : undefined);
    return [{ ...typed, name, isAliased: item.alias !== undefined }];
  });
  if (select.isDistinct) items.forEach(({ type, at }) => requireComparable(type, at));
  const parts = [
    `SELECT ${select.isDistinct ? "DISTINCT " : ""}${items.map(({ sql }, i) => `${sql} AS c${i}`).join(", ")}`,
  ];
  if (from.length > 0) parts.push(`FROM ${from.map(({ sql }) => sql).join(", ")}`);
  if (select.where) parts.push(`WHERE ${translateBoolean(select.where, place)}`);
  if (select.groupBy.length > 0) {
    const groupOf = (each: Expression): string => {
      const { sql, type } = items[ordinalIn(each, items.length)] ?? translateExpression(each, place);
      requireComparable(type, each.at);
      return sql;
    };
    parts.push(`GROUP BY ${select.groupBy.map((each) => groupingOf(each, select.groupBy, groupOf)).join(", ")}`);
  }
  if (select.having) parts.push(`HAVING ${translateBoolean(select.having, place)}`);
  const columns = items.map(({ name, type, isAliased = false }) => ({ name, type, isAliased }));
  const fields = items.filter(({ name }) => name !== undefined).map(({ name, type, sql }) => ({ name, type, sql }));
  const byName = [...Map.groupBy(fields, ({ name }) => name!.toLowerCase()).values()];
  const once = byName
    .filter(([first, ...others]) => others.every(({ sql }) => sql === first!.sql))
    .map(([first]) => first!);
  const ordered = { ...place, scope: { ...place.scope, before: { qualifiers: [], fields: once } } };
  return {
    sql: parts.join(" "),
    columns,
    order: order.map((item) => orderOf(item, orderKey(item.of, ordered, items, select.isDistinct))),
  };
}

function groupingOf(of: Grouping, among: readonly Grouping[], groupOf: (each: Expression) => string): string {
  if (of.kind === "one") return groupOf(of.of);
  if (among.length > 1) throw unsupported(`${of.name} beside other groups`, of.at);
  const sets = of.sets.map((set) => set.map(groupOf));
  if (of.name !== "GROUPING SETS") return `${of.name} (${sets.flat().join(", ")})`;
  return `GROUPING SETS (${sets.map((set) => `(${set.join(", ")})`).join(", ")})`;
}

/** An order names a column of the result by its number or its name, or is an expression over what is selected from. */
function orderKey(of: Expression, place: Place, items: readonly Typed[], isDistinct: boolean): OrderKey {
  const ordinal = ordinalIn(of, items.length);
  const typed = ordinal >= 0 ? items[ordinal]! : translateExpression(of, place);
  const { sql, type } = typed;
  const same = ordinal >= 0 ? ordinal : items.findIndex((item) => item.sql === sql);
  // What is distinct is ordered by its columns alone.
  return { sql: same < 0 ? sql : String(same + 1), type, value: isDistinct ? undefined : sql };
}

/** The place of the column that a number names; -1 where the expression is no number. */
function ordinalIn(of: Expression, count: number): number {
  if (of.kind !== "number" || !/^\d+$/.test(of.text)) return -1;
  const ordinal = Number(of.text);
  if (ordinal < 1 || ordinal > count)
    throw new Refusal("INVALID_COLUMN_REFERENCE", `Column ${ordinal} is not in the select list.`, of.at);
  return ordinal - 1;
}

function ordinalOf(of: Expression, columns: readonly Column[]): OrderKey {
  const ordinal = ordinalIn(of, columns.length);
  const key = (sql: string, type: Type): OrderKey => ({ sql, type, value: undefined });
  if (ordinal >= 0) return key(String(ordinal + 1), columns[ordinal]!.type);
  if (of.kind !== "column" || of.path.length > 1) throw unsupported("This order", of.at);
  const fields = columns.map(({ name, type }, i) => ({ name, type, sql: String(i + 1) }));
  const { sql, type } = findColumn(of.path, { relations: [{ qualifiers: [], fields }] });
  return key(sql, type);
}

const isReadable = (field: Field): field is Field & { type: Type } => field.type !== undefined && !field.isHidden;

function allOf(
  of: readonly Name[],
  from: readonly TranslatedRelation[],
  at: number,
): (Typed & { name: string | undefined })[] {
  const whole = of.length === 0 ? from.flatMap(({ fields }) => fields) : qualifiedFields(of, from);
  if (!whole || from.length === 0) throw new Refusal("TABLE_NOT_FOUND", "There is nothing to select all of.", at);
  return whole.filter(isReadable).map(({ name, type, sql }) => ({ name, type, sql, at }));
}

function qualifiedFields(of: readonly Name[], from: readonly TranslatedRelation[]): readonly Field[] | undefined {
  const matches = from
    .flatMap(({ relations }) => relations)
    .filter(({ qualifiers }) =>
      of.every(({ text }, i) => isNamed(qualifiers[qualifiers.length - of.length + i], text)),
    );
  return matches.length === 1 ? matches[0]!.fields : undefined;
}
