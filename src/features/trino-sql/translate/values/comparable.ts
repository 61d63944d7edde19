// Values of a type are compared and put in an order as is proven to be Trino's, or not at all.

import { CARRIED } from "../../carried-types.ts";
import { unsupported } from "../../refusal.ts";
import { nameOf, type Type } from "../../trino-types.ts";

/** DuckDB takes NULL within a value of these for equal to NULL. */
const NESTED: readonly Type["kind"][] = ["array", "map", "row"];

/** Types whose values are in an order that is proven to be Trino's. */
export const isOrdered = (type: Type): boolean =>
  type.kind === "carried"
    ? CARRIED[type.name].compares === "ordered"
    : type.kind !== "uuid" && !NESTED.includes(type.kind);

/** Whether DuckDB tells values apart where Trino does. The entries of a map are in no order, by which it would, too. */
function isComparable(type: Type): boolean {
  switch (type.kind) {
    case "map":
      return false;
    case "array":
      return isComparable(type.of);
    case "row":
      return type.fields.every((field) => isComparable(field.type));
    case "carried":
      return CARRIED[type.name].compares !== "never";
    default:
      return true;
  }
}

/** Whether two values are compared by a sign. */
export const isCompared = (type: Type): boolean => !NESTED.includes(type.kind) && isComparable(type);

export function requireComparable(type: Type, at: number): void {
  if (!isComparable(type)) throw unsupported(`Telling values of ${nameOf(type)} apart`, at);
}
