// A comment is a text in single quotes.

import type { TokenCursor } from "./token-cursor.ts";

/** An empty comment is none, as in PostgreSQL. `otherwise`: what may stand in the text's place, for the error. */
export function parseCommentText(cursor: TokenCursor, otherwise = ""): string | null {
  if (cursor.ended) cursor.fail("The comment is missing");
  const from = cursor.position;
  cursor.skip();
  const { text } = cursor.since(from);
  if (!/^'(?:[^']|'')*'$/.test(text)) {
    cursor.returnTo(from);
    cursor.fail(`A comment is one text in single quotes${otherwise}`);
  }
  return text.slice(1, -1).replaceAll("''", "'") || null;
}
