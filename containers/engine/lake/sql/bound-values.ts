// Values bound to a statement of the platform's own. Each is a variable of the session that runs or plans it: DuckDB
// takes a variable for a constant when it plans, so files and row groups are left out by it as by a value in the text,
// and plans can be written down, which DuckDB does of no statement with parameters.

import type { DuckDBConnection } from "@duckdb/node-api";
import type { BoundValue } from "../../contract/semantic/query.ts";
import { tokensOf } from "./sql-text.ts";
import { refuse, type Node } from "./syntax-tree.ts";

const variableOf = (index: number): string => `fjord_value_${index + 1}`;

/** `sql` with a variable in the place of each `?`. Throws `statement_refused` where there are not `count` of them. */
export function withVariables(sql: string, count: number): string {
  let bound = "";
  let from = 0;
  let found = 0;
  for (const { at, end } of tokensOf(sql)) {
    if (sql.slice(at, end) !== "?") continue;
    bound += `${sql.slice(from, at)}getvariable('${variableOf(found++)}')`;
    from = end;
  }
  if (found !== count) refuse(`The statement has ${found} parameters and ${count} values.`);
  return bound + sql.slice(from);
}

/** The syntax tree that {@link withVariables} must parse to, of that of the statement with parameters. */
export function treeWithVariables(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(treeWithVariables);
  if (typeof tree !== "object" || tree === null) return tree;
  const { identifier, named_param_map: _, ...node } = tree as Node;
  if (node.class === "PARAMETER") return { ...node, ...variableNode(Number(identifier) - 1) };
  const same = identifier === undefined ? node : { identifier, ...node };
  return Object.fromEntries(Object.entries(same).map(([key, child]) => [key, treeWithVariables(child)]));
}

const variableNode = (index: number): Node => ({
  class: "FUNCTION",
  type: "FUNCTION",
  function_name: "getvariable",
  children: [
    {
      class: "CONSTANT",
      type: "VALUE_CONSTANT",
      value: { type: { id: "VARCHAR" }, is_null: false, value: variableOf(index) },
    },
  ],
  order_bys: { type: "ORDER_MODIFIER" },
});

/** Before the statement is planned; what the variables held is gone. */
export async function setVariables(connection: DuckDBConnection, values: readonly BoundValue[]): Promise<void> {
  for (const [i, value] of values.entries()) await connection.run(`SET VARIABLE ${variableOf(i)} = $1`, [value]);
}

export async function resetVariables(connection: DuckDBConnection, values: readonly BoundValue[]): Promise<void> {
  for (const i of values.keys()) await connection.run(`RESET VARIABLE ${variableOf(i)}`);
}
