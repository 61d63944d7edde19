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

/** Whether values have maps in them: their entries are in no order, by which DuckDB would tell two alike apart. */
export const holdsMap = (type: Type): boolean =>
  type.kind === "map" ||
  (type.kind === "array" && holdsMap(type.of)) ||
  (type.kind === "row" && type.fields.some((field) => holdsMap(field.type)));

export function requireComparable(type: Type, at: number): void {
  if (holdsMap(type)) throw unsupported(`Telling values of ${nameOf(type)} apart`, at);
}
