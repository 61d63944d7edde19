// Values bound to a statement. They are in variables of the session that runs or plans it: DuckDB
// takes a variable for a constant when it plans, so files and row groups are left out by it as by a value in the text,
// and plans can be written down, which DuckDB does of no statement with parameters.

import { LIST, listValue, VARCHAR, type DuckDBConnection } from "@duckdb/node-api";
import type { BoundValue } from "../../../../kernel/semantic/query.ts";
import type { LakeText } from "./sql-text.ts";
import { refuse, type Node } from "./syntax-tree.ts";

/**
 * How many texts are in one variable, as a list. To set a variable takes half a millisecond, and DuckDB copies a list
 * wherever one of its items is named: 5,000 texts take 2.5 s in variables of their own, 13 s in one, 0.8 s in these.
 */
const LIST_LENGTH = 16;

/** The place of a value: a variable of its own, or an item of one that is a list. */
type Place = { variable: string; item?: number };

/** Texts are in lists, the items of which have one type; most values are texts. */
function placesOf(values: readonly BoundValue[]): Place[] {
  let texts = 0;
  return values.map((value, i) => {
    if (typeof value !== "string") return { variable: `fjord_value_${i + 1}` };
    const list = Math.floor(texts / LIST_LENGTH) + 1;
    return { variable: `fjord_texts_${list}`, item: (texts++ % LIST_LENGTH) + 1 };
  });
}

/**
 * The values of a statement's places. Places are `$1` and so on where they are numbered, of which a part of a statement
 * may lack some; else a `?` for each value.
 */
export type Bound = { values: readonly BoundValue[]; isNumbered: boolean };

/** The text with a variable in each place. Throws `statement_refused` where a place has no value, or a value no `?`. */
export function withVariables({ sql, tokens }: LakeText, { values, isNumbered }: Bound): string {
  const places = placesOf(values);
  let bound = "";
  let from = 0;
  let found = 0;
  for (const { text, at, end } of tokens) {
    if (text !== (isNumbered ? "$" : "?")) continue;
    const number = isNumbered ? numberAt(sql, end) : "";
    const place = places[isNumbered ? Number(number) - 1 : found++];
    if (isNumbered && !place) refuse("The statement has a parameter without a value.");
    bound += sql.slice(from, at) + (place ? textOf(place) : "?");
    from = end + number.length;
  }
  if (!isNumbered && found !== places.length)
    refuse(`The statement has ${found} parameters and ${places.length} values.`);
  return bound + sql.slice(from);
}

const DIGITS = /\d+/y;

function numberAt(sql: string, at: number): string {
  DIGITS.lastIndex = at;
  return DIGITS.exec(sql)?.[0] ?? "";
}

const textOf = ({ variable, item }: Place): string =>
  item === undefined ? `getvariable('${variable}')` : `list_extract(getvariable('${variable}'), ${item})`;

/** The syntax tree that the SQL of {@link withVariables} must parse to, from that of the statement with parameters. */
export function treeWithVariables(tree: unknown, values: readonly BoundValue[]): unknown {
  const places = placesOf(values);
  const visit = (tree: unknown): unknown => {
    if (Array.isArray(tree)) return tree.map(visit);
    if (typeof tree !== "object" || tree === null) return tree;
    const { identifier, named_param_map: _, ...node } = tree as Node;
    if (node.class === "PARAMETER") {
      const place = places[Number(identifier) - 1] ?? refuse("The statement has a parameter without a value.");
      return { ...node, ...nodeOf(place) };
    }
    const same = identifier === undefined ? node : { identifier, ...node };
    return Object.fromEntries(Object.entries(same).map(([key, child]) => [key, visit(child)]));
  };
  return visit(tree);
}

function nodeOf({ variable, item }: Place): Node {
  const value = callOf("getvariable", [constantOf("VARCHAR", variable)]);
  return item === undefined ? value : callOf("list_extract", [value, constantOf("INTEGER", item)]);
}

const callOf = (name: string, children: Node[]): Node => ({
  class: "FUNCTION",
  type: "FUNCTION",
  function_name: name,
  children,
  order_bys: { type: "ORDER_MODIFIER" },
});

const constantOf = (type: string, value: string | number): Node => ({
  class: "CONSTANT",
  type: "VALUE_CONSTANT",
  value: { type: { id: type }, is_null: false, value },
});

/** Sets the variables, before the statement is planned. */
export async function setVariables(connection: DuckDBConnection, values: readonly BoundValue[]): Promise<void> {
  const lists = new Map<string, string[]>();
  for (const [i, { variable, item }] of placesOf(values).entries()) {
    const value = values[i]!;
    if (item === undefined) await connection.run(`SET VARIABLE ${variable} = $1`, [value]);
    else lists.set(variable, [...(lists.get(variable) ?? []), String(value)]);
  }
  for (const [variable, texts] of lists)
    await connection.run(`SET VARIABLE ${variable} = $1`, [listValue(texts)], [LIST(VARCHAR)]);
}

export async function resetVariables(connection: DuckDBConnection, values: readonly BoundValue[]): Promise<void> {
  for (const variable of new Set(placesOf(values).map(({ variable }) => variable)))
    await connection.run(`RESET VARIABLE ${variable}`);
}
