// The name of a type, with the numbers or the types that it may have within.

import { unsupported } from "../refusal.ts";
import type { Cursor } from "./cursor.ts";
import { parseUnits } from "./parse-interval.ts";
import type { TypeName } from "./tree.ts";

export function parseType(cursor: Cursor): TypeName {
  return cursor.deeper(() => {
    const { at, text } = cursor.name();
    const name = text.toLowerCase();
    if (name === "array" || name === "map")
      return { name, args: [], at, of: cursor.listInParentheses(() => parseType(cursor)) };
    if (name === "row")
      return {
        name,
        args: [],
        at,
        fields: cursor.listInParentheses(() => ({ name: cursor.name(), type: parseType(cursor) })),
      };
    if (name === "interval") {
      const { unit, to = unit } = parseUnits(cursor);
      return { name: `interval ${unit} to ${to}`, args: [], at };
    }
    return parsePlain(cursor, name, at);
  });
}

function parsePlain(cursor: Cursor, first: string, at: number): TypeName {
  let name = first;
  if (name === "double") cursor.accepts("PRECISION");
  const args = cursor.sees("(")
    ? cursor.listInParentheses(() => {
        if (cursor.token.kind !== "number" || !/^\d+$/.test(cursor.token.text)) throw unsupported("This type", at);
        return Number(cursor.take().text);
      })
    : [];
  if (cursor.accepts("WITH", "TIME", "ZONE")) name += " with time zone";
  else cursor.accepts("WITHOUT", "TIME", "ZONE");
  return { name, args, at };
}
