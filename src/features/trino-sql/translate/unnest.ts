// UNNEST: the rows of arrays, and of the entries of maps, beside each other, as long as the longest of them.

import { unsupported } from "../refusal.ts";
import type { Relation } from "../parse/tree.ts";
import type { Place } from "./place.ts";
import { renamed, type Field, type TranslatedRelation } from "./scope.ts";
import { mismatch, textLiteral, type Typed } from "./typed.ts";
import { BIGINT, nameOf, shownName, type Type } from "../trino-types.ts";

type Unnest = Extract<Relation, { kind: "unnest" }>;

export function translateUnnest(relation: Unnest, place: Place): TranslatedRelation {
  const { of, hasOrdinality, at } = relation;
  const inner: Place = { ...place, scope: { relations: place.beside ?? [], outer: place.scope } };
  const arrays = of.flatMap((each) => arraysOf(place.means.translateExpression(each, inner)));
  const alias = place.means.nextRelation();
  const items = arrays.map(({ sql }, i) => `unnest(${sql}) AS c${i}`);
  const fields = arrays.flatMap((each, i) => fieldsOf(`${alias}.c${i}`, each));
  if (hasOrdinality) {
    const lengths = arrays.map(({ sql }) => `coalesce(len(${sql}), 0)`);
    const longest = lengths.length === 1 ? lengths[0] : `greatest(${lengths.join(", ")})`;
    items.push(`unnest(range(1, ${longest} + 1)) AS c${arrays.length}`);
    fields.push({ name: undefined, type: BIGINT, sql: `${alias}.c${arrays.length}` });
  }
  const named = renamed(fields, relation.columns, at);
  const qualifiers = relation.alias ? [relation.alias.text] : [];
  return { sql: `(SELECT ${items.join(", ")}) AS ${alias}`, relations: [{ qualifiers, fields: named }], fields: named };
}

/** A map is an array of its keys, and one of its values. */
function arraysOf({ sql, type, at }: Typed): { sql: string; element: Type; isPart?: true }[] {
  if (type.kind === "array") return [{ sql, element: type.of }];
  if (type.kind !== "map") throw mismatch(`Cannot unnest type: ${nameOf(type)}`, at);
  return [
    { sql: `map_keys(${sql})`, element: type.key, isPart: true },
    { sql: `map_values(${sql})`, element: type.value, isPart: true },
  ];
}

/** The fields of an array's rows are columns of their own. */
const fieldsOf = (sql: string, { element, isPart }: { element: Type; isPart?: true }): Field[] =>
  element.kind === "row" && !isPart
    ? element.fields.map((field) => ({
        name: shownName(field),
        type: field.type,
        sql: `struct_extract(${sql}, ${textLiteral(field.name)})`,
      }))
    : [{ name: undefined, type: element, sql }];

export const holdsUnnest = (relation: Relation): boolean =>
  relation.kind === "unnest" ||
  (relation.kind === "join" && (holdsUnnest(relation.left) || holdsUnnest(relation.right)));

/** As in Trino, what is unnested beside a relation is joined with all of its own rows, or kept without any. */
export function requireUnnestable({ join, on, using, right, at }: Extract<Relation, { kind: "join" }>): void {
  const isAll = on?.kind === "boolean" && on.value;
  const isPlain = join === "CROSS" || ((join === "INNER" || join === "LEFT") && isAll && !using);
  if (!isPlain || right.kind === "join") throw unsupported("UNNEST in another join than CROSS, or LEFT on TRUE,", at);
}
