// Statements that write rows, in the SQL of `/v1/query`. Their values are those of queries, with the same refusals.

import type { Expression, Name } from "../../parse/tree.ts";
import type { Assignment, MergeCase, WriteOf } from "../../parse/write.ts";
import { translateBoolean, type Place } from "../place.ts";
import { translateRelation } from "../relation.ts";
import { fieldsOf, type Field, type ScopedRelation, type Table } from "../scope.ts";
import { castTo, mismatch } from "../typed.ts";
import { requireOnce } from "./once.ts";
import { assigned, columnNamed, columnsOf, listed, type TargetColumn } from "./target.ts";

function targetColumns(table: Table, names: readonly Name[], at: number): TargetColumn[] {
  requireOnce(names);
  return names.length > 0 ? names.map((name) => columnNamed(table, name)) : columnsOf(table, at);
}

export function translateInsert(
  { target, columns: names, query, at }: WriteOf<"insert">,
  table: Table,
  place: Place,
): string {
  const columns = targetColumns(table, names, target.at);
  const into = `INSERT INTO ${table.sql} (${columns.map(({ sql }) => sql).join(", ")})`;
  const { body } = query;
  const isList = body.kind === "values" && !query.limit && !query.offset && query.ctes.length === 0;
  if (isList && query.order.length === 0) {
    const rows = body.rows.map((row) => {
      requireCount(columns, row.length, at);
      return `(${row.map((each, i) => listed(place.means.translateExpression(each, place), columns[i]!)).join(", ")})`;
    });
    return `${into} VALUES ${rows.join(", ")}`;
  }
  const { sql, columns: given } = place.means.translateQuery(query, place);
  requireCount(columns, given.length, at);
  const alias = place.means.nextRelation();
  const values = given.map(({ type }, i) => assigned({ sql: `${alias}.c${i}`, type, at: query.at }, columns[i]!));
  return `${into} SELECT ${values.map((value, i) => `${value} AS c${i}`).join(", ")} FROM (${sql}) AS ${alias}`;
}

function requireCount(columns: readonly TargetColumn[], count: number, at: number): void {
  if (count !== columns.length) throw mismatch(`${columns.length} columns are written, and ${count} values given.`, at);
}

/** The table's rows as a relation, by its name or its alias. */
function rowsOf(table: Table, place: Place, alias?: Name): { sql: string; relation: ScopedRelation } {
  const name = place.means.nextRelation();
  const fields = fieldsOf(name, table.columns, castTo);
  return { sql: `${table.sql} AS ${name}`, relation: { qualifiers: alias ? [alias.text] : table.qualifiers, fields } };
}

const within = (place: Place, relations: readonly ScopedRelation[]): Place => ({ ...place, scope: { relations } });

const whereOf = (where: Expression | undefined, place: Place): string =>
  where ? ` WHERE ${translateBoolean(where, place)}` : "";

export function translateDelete({ where }: WriteOf<"delete">, table: Table, place: Place): string {
  const { sql, relation } = rowsOf(table, place);
  return `DELETE FROM ${sql}${whereOf(where, within(place, [relation]))}`;
}

export function translateUpdate({ set, where }: WriteOf<"update">, table: Table, place: Place): string {
  const { sql, relation } = rowsOf(table, place);
  const inner = within(place, [relation]);
  return `UPDATE ${sql} SET ${assignments(set, table, inner)}${whereOf(where, inner)}`;
}

function assignments(set: readonly Assignment[], table: Table, place: Place): string {
  requireOnce(set.map(({ column }) => column));
  return set
    .map(({ column, value }) => {
      const into = columnNamed(table, column);
      return `${into.sql} = (${assigned(place.means.translateExpression(value, place), into)})`;
    })
    .join(", ");
}

export function translateMerge({ alias, source, on, cases }: WriteOf<"merge">, table: Table, place: Place): string {
  const { sql, relation } = rowsOf(table, place, alias);
  const using = sourceOf(source, place);
  const both = within(place, [relation, ...using.relations]);
  const clauses = cases.map((each) => caseOf(each, { table, both, ofSource: within(place, using.relations) }));
  return `MERGE INTO ${sql} USING ${using.sql} ON (${translateBoolean(on, both)}) ${clauses.join(" ")}`;
}

/** A query of all the columns that the source's relations have, each under a name of ours. */
function sourceOf(source: WriteOf<"merge">["source"], place: Place): { sql: string; relations: ScopedRelation[] } {
  const { sql, relations } = translateRelation(source, place);
  const alias = place.means.nextRelation();
  const items: string[] = [];
  const named = (field: Field): Field => {
    if (field.type === undefined) return field;
    items.push(`${field.sql} AS c${items.length}`);
    return { ...field, sql: `${alias}.c${items.length - 1}` };
  };
  const outer = relations.map(({ qualifiers, fields }) => ({ qualifiers, fields: fields.map(named) }));
  return { sql: `(SELECT ${items.join(", ")} FROM ${sql}) AS ${alias}`, relations: outer };
}

type MergePlaces = { table: Table; both: Place; ofSource: Place };

function caseOf(of: MergeCase, { table, both, ofSource }: MergePlaces): string {
  const place = of.kind === "insert" ? ofSource : both;
  const condition = of.condition ? ` AND (${translateBoolean(of.condition, place)})` : "";
  switch (of.kind) {
    case "delete":
      return `WHEN MATCHED${condition} THEN DELETE`;
    case "update":
      return `WHEN MATCHED${condition} THEN UPDATE SET ${assignments(of.set, table, place)}`;
    case "insert": {
      const columns = targetColumns(table, of.columns, of.at);
      requireCount(columns, of.values.length, of.at);
      const values = of.values.map((each, i) => assigned(place.means.translateExpression(each, place), columns[i]!));
      const names = columns.map((column) => column.sql).join(", ");
      return `WHEN NOT MATCHED${condition} THEN INSERT (${names}) VALUES (${values.join(", ")})`;
    }
  }
}
