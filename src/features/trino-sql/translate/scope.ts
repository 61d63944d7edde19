// The scope of a query: what names mean there.

import { quoteIdentifier } from "../../../lake/format/names.ts";
import { Refusal } from "../refusal.ts";
import type { Name } from "../parse/tree.ts";
import type { Type } from "../trino-types.ts";

/**
 * `name` is as clients read it, absent where there is none. `type` is absent of a column that can't be read. Hidden
 * ones are not among all.
 */
export type Field = { name: string | undefined; type: Type | undefined; sql: string; isHidden?: boolean };

/** `qualifiers`: by which a column's table is named, the table's own name last. */
export type ScopedRelation = { qualifiers: readonly string[]; fields: readonly Field[] };

/** `before` are names that are looked for first; `outer` is the scope of the query around. */
export type NameScope = { before?: ScopedRelation; relations: readonly ScopedRelation[]; outer?: NameScope };

/** A relation of the catalog: its SQL, and its columns by their names there. */
export type Table = {
  sql: string;
  qualifiers: string[];
  columns: { name: string; type: Type | undefined; isCast?: boolean; isHidden?: boolean }[];
};

/** Looks up a table by its name; throws a {@link Refusal} for one that is not there. */
export type FindTable = (name: Name[]) => Table;

export const isNamed = (name: string | undefined, other: string): boolean =>
  name !== undefined && name.toLowerCase() === other.toLowerCase();

const endsWith = (qualifiers: readonly string[], path: readonly Name[]): boolean =>
  path.length <= qualifiers.length &&
  path.every(({ text }, i) => isNamed(qualifiers[qualifiers.length - path.length + i], text));

export function findColumn(path: readonly Name[], scope: NameScope): Field & { type: Type } {
  const column = path.at(-1)!;
  const { at } = path[0]!;
  const of = path.slice(0, -1);
  for (let within: NameScope | undefined = scope; within; within = within.outer) {
    for (const relations of within.before ? [[within.before], within.relations] : [within.relations]) {
      const found = relations
        .filter(({ qualifiers }) => of.length === 0 || endsWith(qualifiers, of))
        .flatMap(({ fields }) => fields.filter(({ name }) => isNamed(name, column.text)));
      if (found.length > 1) throw new Refusal("AMBIGUOUS_NAME", `Column '${column.text}' is ambiguous`, at);
      const [field] = found;
      if (!field) continue;
      if (!field.type)
        throw new Refusal("NOT_SUPPORTED", `Column '${column.text}' has a type that Trino's clients do not know.`, at);
      return { ...field, type: field.type };
    }
  }
  const text = path.map((each) => each.text.toLowerCase()).join(".");
  throw new Refusal("COLUMN_NOT_FOUND", `Column '${text}' cannot be resolved`, at);
}

export const fieldsOf = (
  alias: string,
  columns: Table["columns"],
  cast: (sql: string, type: Type) => string,
): Field[] =>
  columns.map(({ name, type, isCast, isHidden = false }) => {
    const sql = `${alias}.${quoteIdentifier(name)}`;
    return { name: name.toLowerCase(), type, sql: type && isCast ? cast(sql, type) : sql, isHidden };
  });

/** `fields`: what `*` stands for, which is otherwise than the relations' own where columns are joined `USING`. */
export type TranslatedRelation = { sql: string; relations: ScopedRelation[]; fields: readonly Field[] };

/** The columns under the names of an alias, which has one for each or none. */
export function renamed<Of extends { name: string | undefined }>(
  columns: readonly Of[],
  names: readonly Name[],
  at: number,
): Of[] {
  if (names.length > 0 && names.length !== columns.length)
    throw new Refusal(
      "MISMATCHED_COLUMN_ALIASES",
      `Column alias list has ${names.length} entries but there are ${columns.length}.`,
      at,
    );
  return columns.map((column, i) => ({ ...column, name: names[i]?.text.toLowerCase() ?? column.name }));
}
