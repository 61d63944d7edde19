// The columns of tables that an expression names. Pure.

import { sameName } from "../../../duckdb/names.ts";
import type { Node } from "../syntax-tree.ts";
import { hasName, joined, sourcesNamed, type Column, type Relation, type NameScope, type Sources } from "./columns.ts";

/** Classes of expressions that say all they name in their own parts. */
const WHOLE = new Set(
  "FUNCTION CAST OPERATOR COMPARISON CONJUNCTION CASE BETWEEN WINDOW COLLATE CONSTANT PARAMETER".split(" "),
);
/** Expressions that name nothing. */
const VALUES = new Set(["CONSTANT", "PARAMETER"]);

/** `before`: the columns to the left in the same list, whose aliases the expression may name. */
export function sourcesOf(node: unknown, scope: NameScope, before: readonly Column[]): Sources {
  if (typeof node !== "object" || node === null) return new Map();
  const { class: kind, column_names: names } = node as Node;
  if (kind === "COLUMN_REF") return referenced(names as string[], scope, before);
  if (typeof kind === "string" && !WHOLE.has(kind)) return null;
  if (typeof kind === "string" && VALUES.has(kind)) return new Map();
  return joined(Object.values(node).map((child) => sourcesOf(child, scope, before)));
}

/** A reference is a relation's column, a column, or a field of either, in DuckDB's order; last comes an alias. */
function referenced(names: readonly string[], { relations, visible }: NameScope, before: readonly Column[]): Sources {
  const [first, second, third] = names as [string, string | undefined, string | undefined];
  const named = relations.filter(({ alias }) => sameName(alias, first));
  if (second !== undefined && named.length > 0) return ofOne(named, second);
  const ofSchema = relations.filter(
    ({ schema, alias }) => schema !== undefined && sameName(schema, first) && sameName(alias, second ?? ""),
  );
  if (ofSchema.length > 0) return ofOne(ofSchema, third);
  if (visible === null || visible.some((column) => hasName(column, first))) return sourcesNamed(visible, first);
  // The name of a relation means its whole row.
  return second === undefined && named.length === 0 ? sourcesNamed(before, first) : null;
}

const ofOne = (relations: readonly Relation[], column: string | undefined): Sources =>
  relations.length === 1 && column !== undefined ? sourcesNamed(relations[0]!.columns, column) : null;
