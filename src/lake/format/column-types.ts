// A column's type is checked to be one that the lake holds. Pure.

import { decimalDigits, scalarType } from "../../../kernel/lake/lake-types.ts";

/** How many children each nested type has; a struct has at least one. */
const NESTED: Record<string, [min: number, max: number]> = { list: [1, 1], map: [2, 2], struct: [1, 1_000] };

/** The names the specification gives the children of a list and of a map, whatever their writer called them. */
export const CHILD_NAMES: Record<string, readonly string[]> = { list: ["element"], map: ["key", "value"] };

export const isNested = (type: string): boolean => Object.hasOwn(NESTED, type);

/** Why a column of this type with so many children can't be, or undefined. */
export function flawOfType(type: string, children: number): string | undefined {
  const nested = Object.hasOwn(NESTED, type) ? NESTED[type] : undefined;
  if (nested)
    return children >= nested[0] && children <= nested[1] ? undefined : `A ${type} does not have ${children} children.`;
  if (children > 0) return `${type} has no children.`;
  if (scalarType(type)) return undefined;
  return decimalDigits(type)
    ? "A decimal has 1 to 38 digits, and no more of them after the point."
    : `${type} is no column type of the lake.`;
}
