// GoogleSQL's words, for the statement gate: cut where BigQuery's own lexer cuts, and refused where the two could
// differ.

import { type LexicalRules, matchEnd, refused, refuseNul, scanStatement } from "../../statement-tokens.ts";

/**
 * `word` is a bare word, `name` one in backticks, `symbol` any other character. `text` is as written, of a name without
 * its backticks; of strings and numbers there is nothing to know. `capitals`: of a word.
 */
export type Token = {
  kind: "word" | "name" | "string" | "number" | "symbol";
  text: string;
  capitals: string;
  at: number;
};

/** A raw string ends where one that is not raw would: a backslash keeps the character behind it from ending either. */
const PREFIX = /^(r|b|rb|br)$/i;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
/** The part of a path after a dot, which may also be a number or begin with a digit. */
const PART = /[A-Za-z0-9_]+/y;
const NUMBER = /0[xX][0-9A-Fa-f]+|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/y;
const IN_QUOTES = { hasEscapes: true, isOneLine: true };

export const BIGQUERY_RULES: LexicalRules = {
  // BigQuery takes these characters of Unicode for a space, too.
  space: /[ \n\r\t\b\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]+/y,
  lineComment: /(?:#|--)[^\r\n]*/y,
  refusedComments: [],
  quotes: {
    "'''": { kind: "string", closedBy: "'''", hasEscapes: true },
    '"""': { kind: "string", closedBy: '"""', hasEscapes: true },
    "'": { kind: "string", closedBy: "'", ...IN_QUOTES },
    '"': { kind: "string", closedBy: '"', ...IN_QUOTES },
    "`": { kind: "name", closedBy: "`", ...IN_QUOTES },
  },
};

/**
 * Cuts a statement into tokens, without space and comments. Throws `statement_refused` for anything without its end,
 * and for characters that stand in no reading statement.
 */
export function tokenize(sql: string): Token[] {
  refuseNul(sql);
  const tokens: Token[] = [];
  scanStatement(sql, BIGQUERY_RULES, {
    quoted({ kind }, inner, at) {
      const before = tokens.at(-1);
      // An escape in a name is refused, for the lexer does not decode escapes as BigQuery does.
      if (kind === "name" && inner.includes("\\"))
        throw refused(sql, at, "A quoted identifier with a backslash is not allowed.");
      // The prefix of a string is no word.
      if (
        kind === "string" &&
        before?.kind === "word" &&
        PREFIX.test(before.text) &&
        before.at + before.text.length === at
      )
        tokens.pop();
      tokens.push({ kind, text: kind === "name" ? inner : "", capitals: "", at });
    },
    plain: (at) => pushPlain(tokens, sql, at),
  });
  return tokens;
}

function pushPlain(tokens: Token[], sql: string, at: number): number {
  const isPart = tokens.at(-1)?.text === "." && isPathEnd(tokens.at(-2));
  const wordEnd = matchEnd(isPart ? PART : WORD, sql, at);
  if (wordEnd !== undefined) {
    const text = sql.slice(at, wordEnd);
    tokens.push({ kind: "word", text, capitals: text.toUpperCase(), at });
    return wordEnd;
  }
  const end = matchEnd(NUMBER, sql, at);
  if (end !== undefined) {
    if (matchEnd(WORD, sql, end) !== undefined)
      throw refused(sql, end, "A number is followed by letters: put a space between, or the name into backticks.");
    tokens.push({ kind: "number", text: "", capitals: "", at });
    return end;
  }
  const character = String.fromCodePoint(sql.codePointAt(at)!);
  if (!/^[!-~]$/.test(character) || /[\\$@]/.test(character)) throw refused(sql, at, explain(character));
  tokens.push({ kind: "symbol", text: character, capitals: "", at });
  return at + 1;
}

const isPathEnd = (token: Token | undefined): boolean =>
  token?.kind === "word" || token?.kind === "name" || /^[)\]?]$/.test(token?.text ?? "");

const explain = (character: string): string =>
  character === "@"
    ? "Variables, named parameters and hints (@) are not allowed."
    : /^[!-~]$/.test(character)
      ? `${character} outside quotes is not allowed.`
      : "A character outside quotes that BigQuery's SQL has not: put a name that has it into backticks.";
