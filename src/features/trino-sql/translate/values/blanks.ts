// Blanks around a text that is cast to another type.

import type { CarriedName } from "../../carried-types.ts";
import { isFloating, isInteger, type Type } from "../../trino-types.ts";

const MOMENTS: readonly CarriedName[] = ["timestamp", "time with time zone", "timestamp with time zone"];

/** Whether Trino leaves blanks out, where it reads a text as a value of the type. */
const leavesOut = (type: Type): boolean =>
  isInteger(type) ||
  isFloating(type) ||
  ["date", "timestamp", "timestamptz"].includes(type.kind) ||
  (type.kind === "carried" && MOMENTS.includes(type.name));

/** The text as it is read; one that keeps blanks is no literal of a type but a text. */
export function withoutBlanks(text: string, type: Type): string {
  if (!leavesOut(type)) return text;
  let [from, to] = [0, text.length];
  while (text[from] === " ") from++;
  while (to > from && text[to - 1] === " ") to--;
  return text.slice(from, to);
}
