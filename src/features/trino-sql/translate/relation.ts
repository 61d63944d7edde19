// The relations of a query in DuckDB's SQL: tables, queries, and what joins them.

import {
  fieldsOf,
  findColumn,
  isNamed,
  renamed,
  type Field,
  type ScopedRelation,
  type TranslatedRelation,
} from "./scope.ts";
import { compare } from "./comparison.ts";
import { translateBoolean, type Place } from "./place.ts";
import type { Relation } from "../parse/tree.ts";
import { castTo, coerce, mismatch, type Typed } from "./typed.ts";
import { holdsUnnest, requireUnnestable, translateUnnest } from "./unnest.ts";
import { commonType } from "../trino-types.ts";

export function translateRelation(relation: Relation, place: Place): TranslatedRelation {
  if (relation.kind === "join") return translateJoin(relation, place);
  if (relation.kind === "unnest") return translateUnnest(relation, place);
  const alias = place.means.nextRelation();
  const named = (sql: string, qualifiers: readonly string[], fields: Field[]): TranslatedRelation => {
    const called = relation.alias ? [relation.alias.text] : qualifiers;
    const own = renamed(fields, relation.columns, relation.at);
    return { sql: `${sql} AS ${alias}`, relations: [{ qualifiers: called, fields: own }], fields: own };
  };
  if (relation.kind === "query") {
    const { sql, columns } = place.means.translateQuery(relation.query, place);
    return named(
      `(${sql})`,
      [],
      columns.map((column, i) => ({ ...column, sql: `${alias}.c${i}` })),
    );
  }
  const [only, ...more] = relation.name;
  const cte = more.length === 0 ? place.ctes.get(only!.text.toLowerCase()) : undefined;
  if (cte)
    return named(
      cte.sql,
      [only!.text],
      cte.columns.map((column, i) => ({ ...column, sql: `${alias}.c${i}` })),
    );
  const table = place.means.findTable(relation.name);
  return named(table.sql, table.qualifiers, fieldsOf(alias, table.columns, castTo));
}

const JOINS = {
  INNER: "INNER JOIN",
  LEFT: "LEFT JOIN",
  RIGHT: "RIGHT JOIN",
  FULL: "FULL JOIN",
  CROSS: "CROSS JOIN",
} as const;

function translateJoin(relation: Extract<Relation, { kind: "join" }>, place: Place): TranslatedRelation {
  const left = translateRelation(relation.left, place);
  const right = translateRelation(relation.right, { ...place, beside: [...(place.beside ?? []), ...left.relations] });
  if (holdsUnnest(relation.right)) requireUnnestable(relation);
  const words = `${left.sql} ${JOINS[relation.join]} `;
  const other = relation.right.kind === "join" ? `(${right.sql})` : right.sql;
  const relations = [...left.relations, ...right.relations];
  const fields = [...left.fields, ...right.fields];
  if (relation.using) return joinUsing(relation, { left, right, words: words + other });
  if (!relation.on) return { sql: words + other, relations, fields };
  const on = translateBoolean(relation.on, { ...place, scope: { relations, outer: place.scope } });
  return { sql: `${words}${other} ON ${on}`, relations, fields };
}

function joinUsing(
  { join, using = [], at }: Extract<Relation, { kind: "join" }>,
  { left, right, words }: { left: TranslatedRelation; right: TranslatedRelation; words: string },
): TranslatedRelation {
  const pairs = using.map((name) => {
    const [one, other] = [left, right].map(({ fields }) => {
      const found = findColumn([name], { relations: [{ qualifiers: [], fields }] });
      return { ...found, at };
    }) as [Typed & { name: string }, Typed & { name: string }];
    const type = commonType(one.type, other.type);
    if (!type) throw mismatch(`Column '${name.text}' has types that are not compared.`, name.at);
    return { name, type, one: coerce(one, type), other: coerce(other, type), on: compare(one, "=", other, name.at) };
  });
  const merged = pairs.map(({ name, type, one, other }): Field => {
    const sql = join === "FULL" ? `COALESCE(${one}, ${other})` : join === "RIGHT" ? other : one;
    return { name: name.text.toLowerCase(), type, sql };
  });
  const isMerged = ({ name }: Field): boolean => using.some(({ text }) => isNamed(name, text));
  const rest = (of: TranslatedRelation): ScopedRelation[] =>
    of.relations.map(({ qualifiers, fields }) => ({ qualifiers, fields: fields.filter((field) => !isMerged(field)) }));
  const relations = [{ qualifiers: [], fields: merged }, ...rest(left), ...rest(right)];
  const fields = [...merged, ...[...left.fields, ...right.fields].filter((field) => !isMerged(field))];
  return { sql: `${words} ON ${pairs.map(({ on }) => on).join(" AND ")}`, relations, fields };
}
