// A statement whose values are bound by place becomes one whose values have names, as the workspace takes them. Pure.

import type { TypedValue } from "../../../api/query-link.ts";

/** Quoted texts and names and comments hold no place of a value. */
const PLACES = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|\?|\$(\d+)/g;

export type NamedStatement = { sql: string; values: Record<string, TypedValue> };

/** `?` stands for the next value, `$2` for the second. */
export function withNamedValues(sql: string, values: readonly unknown[]): NamedStatement {
  let next = 0;
  const named = sql.replace(PLACES, (part, place: string | undefined) => {
    if (part === "?") return `$value_${++next}`;
    return place === undefined ? part : `$value_${place}`;
  });
  return { sql: named, values: Object.fromEntries(values.map((value, at) => [`value_${at + 1}`, typedValue(value)])) };
}

function typedValue(value: unknown): TypedValue {
  if (value === null || value === undefined) return { type: "text", text: "", isNull: true };
  if (typeof value === "boolean") return { type: "boolean", text: String(value) };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number", text: String(value) };
  return { type: "text", text: typeof value === "string" ? value : JSON.stringify(value) };
}
