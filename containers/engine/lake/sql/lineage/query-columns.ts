// The columns of a query in the syntax tree, and of the relations that it reads. Pure.

import { foldName, sameName } from "../../../duckdb/names.ts";
import type { LakeTable } from "../../../../../kernel/lake/lake.ts";
import { isNamed } from "../relations.ts";
import type { Node } from "../syntax-tree.ts";
import {
  hasName,
  joined,
  renamed,
  sourceOf,
  sourcesNamed,
  type Column,
  type Columns,
  type NameScope,
} from "./columns.ts";
import { sourcesOf } from "./expression-sources.ts";

/** What a query's names may mean: tables of the lake, and common table expressions by their folded names. */
type Known = { tables: readonly LakeTable[]; ctes: ReadonlyMap<string, Columns> };

export function columnsOf(node: Node, outer: Known): Columns {
  const known = withCtes(node, outer);
  if (node.type === "SELECT_NODE") return selectColumns(node, known);
  if (node.type !== "SET_OPERATION_NODE" || node.setop_type !== "UNION") return null;
  const [left, right] = [columnsOf(node.left as Node, known), columnsOf(node.right as Node, known)];
  if (left === null || right === null || left.length !== right.length) return null;
  return left.map(({ name, sources }, i) => ({ name, sources: joined([sources, right[i]!.sources]) }));
}

/** An expression sees those before it; one that is recursive is unknown. */
function withCtes({ cte_map: map }: Node, { tables, ctes: outer }: Known): Known {
  const ctes = new Map(outer);
  for (const { key, value } of ((map as Node | undefined)?.map ?? []) as { key: string; value: Node }[]) {
    const columns = columnsOf((value.query as Node).node as Node, { tables, ctes });
    ctes.set(foldName(key), renamed(columns, value.aliases as string[] | undefined));
  }
  return { tables, ctes };
}

function selectColumns({ select_list: list, from_table: from }: Node, known: Known): Columns {
  const scope = scopeOf(from as Node | undefined, known);
  const columns: Column[] = [];
  for (const item of list as Node[]) {
    const found = item.class === "STAR" ? starColumns(item, scope) : expressionColumn(item, scope, columns);
    if (found === null) return null;
    columns.push(...found);
  }
  return columns;
}

const STAR_MEMBERS = new Set(["class", "type", "query_location", "relation_name", "exclude_list"]);

/** `*` and `t.*`, without columns that are left out. */
function starColumns(star: Node, { relations, visible }: NameScope): Columns {
  if (Object.keys(star).some((key) => !STAR_MEMBERS.has(key))) return null;
  const named = relations.filter(({ alias }) => sameName(alias, String(star.relation_name)));
  const all = star.relation_name === undefined ? visible : named.length === 1 ? named[0]!.columns : null;
  const excluded = (star.exclude_list ?? []) as unknown[];
  if (all === null || !excluded.every((name) => typeof name === "string")) return null;
  return all.filter((column) => !excluded.some((name) => hasName(column, name)));
}

/** One column, unless the expression may stand for several: null. `before`: the columns whose aliases it may name. */
function expressionColumn(item: Node, scope: NameScope, before: readonly Column[]): Columns {
  if (mayBeSeveral(item)) return null;
  const name = textOf(item.alias) ?? (item.class === "COLUMN_REF" ? (item.column_names as string[]).at(-1) : undefined);
  return [{ name, sources: sourcesOf(item, scope, before) }];
}

const UNNESTING = new Set(["unnest", "unlist"]);

function mayBeSeveral(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { class: kind, function_name: name } = node as Node;
  if (kind === "CONSTANT" || kind === "SUBQUERY") return false;
  return kind === "STAR" || UNNESTING.has(String(name)) || Object.values(node).some(mayBeSeveral);
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

function scopeOf(from: Node | undefined, known: Known): NameScope {
  if (from === undefined || from.type === "EMPTY") return { relations: [], visible: [] };
  if (from.type === "JOIN") return joinScope(from, known);
  const columns = renamed(relationColumns(from, known), from.column_name_alias as string[] | undefined);
  const alias = textOf(from.alias);
  const schema = alias === undefined ? textOf(from.schema_name) : undefined;
  return { relations: [{ alias: alias ?? textOf(from.table_name) ?? "", schema, columns }], visible: columns };
}

function relationColumns(from: Node, known: Known): Columns {
  if (from.type === "SUBQUERY") return columnsOf((from.subquery as Node).node as Node, known);
  if (from.type !== "BASE_TABLE" || from.at_clause !== undefined) return null;
  const [catalog = "", schema = "", name = ""] = [from.catalog_name, from.schema_name, from.table_name].map(textOf);
  const cte = catalog === "" && schema === "" ? known.ctes.get(foldName(name)) : undefined;
  if (cte !== undefined) return cte;
  const tables = known.tables.filter((table) => isNamed(table, { catalog, schema, name }));
  return tables.length === 1 ? tableColumns(tables[0]!) : null;
}

const tableColumns = ({ schema, name: table, columns }: LakeTable): Columns =>
  columns.map(({ name }) => ({ name, sources: sourceOf({ schema, name: table, column: name }) }));

/** By DuckDB's words for joins: which sides the columns of USING come from, and whether the left alone is shown. */
const SIDES: Record<string, { using: readonly ("left" | "right")[]; isLeftAlone?: true }> = {
  INNER: { using: ["left"] },
  LEFT: { using: ["left"] },
  RIGHT: { using: ["right"] },
  FULL: { using: ["left", "right"] },
  SEMI: { using: ["left"], isLeftAlone: true },
  ANTI: { using: ["left"], isLeftAlone: true },
};

function joinScope(join: Node, known: Known): NameScope {
  const [left, right] = [scopeOf(join.left as Node, known), scopeOf(join.right as Node, known)];
  const sides = SIDES[String(join.join_type)];
  if (sides?.isLeftAlone) return left;
  const relations = [...left.relations, ...right.relations];
  const sideColumns = { left: left.visible, right: right.visible };
  if (!sides || join.ref_type === "NATURAL" || sideColumns.left === null || sideColumns.right === null)
    return { relations, visible: null };
  const using = (join.using_columns ?? []) as string[];
  const isUsed = (column: Column): boolean => using.some((name) => hasName(column, name));
  const merged = sideColumns.left.map((column) => {
    if (!isUsed(column)) return column;
    return { ...column, sources: joined(sides.using.map((side) => sourcesNamed(sideColumns[side], column.name!))) };
  });
  return { relations, visible: [...merged, ...sideColumns.right.filter((column) => !isUsed(column))] };
}
