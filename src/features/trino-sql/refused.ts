// A statement of Trino's that is refused, as a failure of a request that brought it.

import { locate } from "../../../kernel/wire/failure-text.ts";
import { Problem } from "../../core/problem.ts";
import { Refusal } from "./refusal.ts";

/** Whatever keeps a text from being translated, as a refusal; anything else as it is. */
export const asRefusal = (caught: unknown): unknown =>
  // A chain of signs is as deep a tree as it is long, and the stack ends somewhere.
  caught instanceof RangeError ? new Refusal("NOT_SUPPORTED", "The statement is too deep.") : caught;

/** Throws `validation_failed` with the refusal's place in the text that was sent. */
export async function refusing<Value>(text: string, translate: () => Promise<Value>): Promise<Value> {
  try {
    return await translate();
  } catch (caught) {
    const error = asRefusal(caught);
    throw error instanceof Refusal ? problemOf(error, text) : error;
  }
}

function problemOf({ at, message }: Refusal, text: string): Problem {
  const location = at === undefined ? undefined : locate(text, [...text.slice(0, at)].length + 1);
  const flaw = { pointer: "/sql", message, ...(location && { line: location.line, column: location.column }) };
  const problem = new Problem("validation_failed", message, [flaw]);
  if (location) problem.location = location;
  return problem;
}
