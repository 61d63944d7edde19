// DuckDB's syntax tree, as json_serialize_sql writes it: its nodes, where they stand in the text, and a refusal there.

import { Failure } from "../../core/failure.ts";

export type Node = { [key: string]: unknown };

/** DuckDB writes this as the position of a node that stands nowhere in the text. */
const NOWHERE = 2 ** 53;

/** Ends the statement with `statement_refused`. `position`: 1-based, in characters of the whole text. */
export const refuse = (message: string, position?: number): never => {
  throw new Failure("statement_refused", message, { position });
};

/** From DuckDB's 0-based byte offset within `body` to a 1-based character of the whole text. */
export function positionIn(body: string, bytes: number, offset: number): number | undefined {
  if (!(bytes < NOWHERE)) return undefined;
  return offset + Buffer.from(body).subarray(0, bytes).toString().length + 1;
}

/** A tree without positions: edits keep them in characters, and not always in the bytes that DuckDB counts. */
export const withoutPositions = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutPositions);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, child]) => (key === "query_location" ? [] : [[key, withoutPositions(child)]])),
  );
};
