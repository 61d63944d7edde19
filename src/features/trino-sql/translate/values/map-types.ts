// The types of maps: their keys are of types whose values have one text each, by which clients know them.

import { unsupported } from "../../refusal.ts";
import { isInteger, nameOf, type Type } from "../../trino-types.ts";

const KEYS: readonly Type["kind"][] = ["varchar", "boolean", "decimal", "date", "uuid", "timestamp"];

export const isKey = (type: Type): boolean => isInteger(type) || KEYS.includes(type.kind);

/** Throws a {@link Refusal} at `at` for keys of another type. */
export function mapOf(key: Type, value: Type, at: number): Extract<Type, { kind: "map" }> {
  if (!isKey(key)) throw unsupported(`A map by ${nameOf(key)}`, at);
  return { kind: "map", key, value };
}
