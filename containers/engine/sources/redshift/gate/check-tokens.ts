// A text is refused if Redshift cuts it into other tokens than PostgreSQL's parser does, for the parser would check
// another statement than the one that runs.
//
// Redshift's lexer is PostgreSQL 8.0's. In its string literals a backslash escapes what follows, so that in
// `SELECT '\'', f(1), '' --'` it calls f, where PostgreSQL's parser of today sees one string.

import { refused, tokensOf } from "../../postgres/gate/check-statement.ts";

/** Throws `statement_refused`. A text without tokens is left to the parser. */
export function checkTokens(sql: string): void {
  for (const { text, tokenName } of tokens(sql)) {
    if (tokenName === "C_COMMENT") checkComment(text);
    else if (tokenName !== "SQL_COMMENT") checkToken(text);
  }
}

function tokens(sql: string): ReturnType<typeof tokensOf> {
  try {
    return tokensOf(sql);
  } catch {
    return [];
  }
}

/** Servers may differ in where a comment within a comment ends. */
function checkComment(text: string): void {
  if (text.includes("/*", 2)) throw refused("A comment within a comment is not allowed.");
}

const SPACES_AND_CONTROLS = /[\p{Z}\p{C}]/u;

function checkToken(text: string): void {
  if (text.startsWith("$") && text.endsWith("$"))
    throw refused("Text between dollar signs is not allowed: write it in single quotes.");
  if (/^u&/i.test(text)) throw refused("Text and names written as U&'…' or U&\"…\" are not allowed.");
  if (text.startsWith('"')) return;
  if (text.startsWith("'")) return checkString(text);
  // Escapes are the same in `E'…'`, to both.
  if (/^e'/i.test(text)) return;
  if (/^[bx]'/i.test(text) && text.includes("\\")) throw backslash();
  if (SPACES_AND_CONTROLS.test(text)) throw refused("A name with a space or a control character needs double quotes.");
}

/** Whether it ends at the same quote to a lexer that knows escapes and to one that does not. */
function checkString(text: string): void {
  const end = text.length - 1;
  let at = 1;
  while (at < end) {
    if (text[at] === "\\") {
      if (at + 1 >= end || text[at + 1] === "'") throw backslash();
      at += 2;
    } else if (text[at] !== "'") at++;
    else if (text[at + 1] === "'") at += 2;
    // Its next part begins on another line, where a backslash would be taken for its quote.
    else throw refused("A string may not go on in a second one on the next line: write it in one, or put || between.");
  }
}

const backslash = () =>
  refused(
    "A backslash before a quote is not allowed in a string, for Redshift reads it as an escape: write '' for a quote " +
      "and \\\\ for a backslash.",
  );
