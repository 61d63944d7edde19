// The name of a type, with the numbers that it may have.

import { unsupported } from "../refusal.ts";
import type { Cursor } from "./cursor.ts";
import type { TypeName } from "./tree.ts";

export function parseType(cursor: Cursor): TypeName {
  const { at, text } = cursor.name();
  let name = text.toLowerCase();
  if (name === "double") cursor.accepts("PRECISION");
  const args: number[] = [];
  if (cursor.accepts("(")) {
    args.push(
      ...cursor.list(() => {
        if (cursor.token.kind !== "number") throw unsupported("This type", at);
        return Number(cursor.take().text);
      }),
    );
    cursor.expect(")");
  }
  if (cursor.accepts("WITH", "TIME", "ZONE")) name += " with time zone";
  else cursor.accepts("WITHOUT", "TIME", "ZONE");
  return { name, args, at };
}
