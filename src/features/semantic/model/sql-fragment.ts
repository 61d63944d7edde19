// A piece of SQL that goes into a larger one must be whole: what opens in it closes in it, in every dialect alike, and
// nothing in it ends the expression that it is. Else a query is another than it says, and not always with an error.

import { readTemplate, shorten, type Part } from "./template.ts";

export type Fragment = {
  /** The names that it says, without their quotes; keywords and functions are among them. */
  identifiers: Set<string>;
  /** The words within its texts: where a table may stand, DuckDB takes a text for its name. */
  textWords: Set<string>;
  /** A query may be in it, by a word that stands before a table. */
  mayReadTables: boolean;
  /** It asks for all columns of something. */
  hasStar: boolean;
  /** References with no column of theirs behind them: of a cube, its row as a whole. */
  bareReferences: string[];
  /** The text for a query: without blanks at its ends, but for the line's end that a comment needs. */
  text: string;
  /** Stands as it is beside any operator: a name, a call, a literal, brackets around all of it. */
  isAtomic: boolean;
};
/** `query`: a whole SELECT; else one expression. */
export type FragmentKind = "expression" | "query";
export type ScannedFragment = { fragment: Fragment; flaw?: undefined } | { flaw: string; fragment?: undefined };

/** In the place of a reference; {@link readTemplate} lets none through. */
const REFERENCE_MARK = "\ue000";
const TOKEN = new RegExp(
  [
    String.raw`\s+`,
    String.raw`--(?:[ \t][^\n]*)?\n|\/\*(?![!+])(?:(?!\*\/|\/\*)[^])*\*\/`,
    String.raw`'(?:[^'\\]|''|\\+(?!['\\]))*'`,
    String.raw`"(?:[^"\\]|""|\\+(?!["\\]))*"`,
    "`(?:[^`]|``)*`",
    String.raw`[\p{L}_][\p{L}\p{N}\p{M}_]*`,
    String.raw`\d[\w.]*`,
    // Brackets, and signs of which one is a token; those that begin one of the above are none of them.
    String.raw`(?!--|\/\*)[^'"${"`"}$?#;\\]`,
  ].join("|"),
  "uy",
);
type TokenKind = "comment" | "string" | "quoted" | "word" | "number" | "reference" | "open" | "close" | "sign";

function kindOf(token: string): TokenKind | undefined {
  const first = token[0]!;
  if (/\s/.test(first)) return undefined;
  if (token.length > 1 && (first === "-" || first === "/")) return "comment";
  if (first === "'") return "string";
  if (first === '"' || first === "`") return "quoted";
  if (/\d/.test(first)) return "number";
  if (first === REFERENCE_MARK) return "reference";
  if ("([{".includes(first)) return "open";
  if (")]}".includes(first)) return "close";
  return /[\p{L}_]/u.test(token) ? "word" : "sign";
}
const CLOSERS: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** Words that begin another part of a query, and those before which they do not. */
const CLAUSES = new Set(
  "SELECT FROM WHERE GROUP ORDER HAVING LIMIT UNION INTERSECT EXCEPT JOIN ON AS INTO WINDOW".split(" "),
);
const isClause = (word: string, before: string): boolean =>
  CLAUSES.has(word) && !(word === "FROM" && before === "DISTINCT") && !(word === "GROUP" && before === "WITHIN");
const DEPTH_MAX = 100;

export type Token = { kind: TokenKind; text: string; depth: number };

export function scanFragment(written: string, kind: FragmentKind): ScannedFragment {
  const text = written.trim();
  const { parts, flaw } = readTemplate(text);
  if (flaw !== undefined) return { flaw };
  const flat = flatten(parts);
  const tokens: Token[] = [];
  const broken = readTokens(`${flat}\n`, tokens) ?? (kind === "expression" ? flawOfExpression(tokens) : undefined);
  if (broken !== undefined) return { flaw: broken };
  if (!tokens.some((token) => token.kind !== "comment")) return { flaw: "It is empty." };
  const endsInLine = tokens.at(-1)!.text.endsWith("\n");
  return {
    fragment: {
      bareReferences: bareReferencesIn(parts),
      identifiers: identifiersOf(tokens),
      textWords: textWordsOf(tokens),
      mayReadTables: tokens.some(({ kind, text }) => kind === "word" && BEFORE_TABLES.has(text.toUpperCase())),
      hasStar: tokens.some(({ text }, i) => text === "*" && tokens[i - 1]?.text === "."),
      text: endsInLine ? `${text}\n` : text,
      isAtomic: isAtomic(tokens),
    },
  };
}

/** The tokens of scanned SQL; undefined where it can't be scanned. */
export function tokensOf(written: string): Token[] | undefined {
  const { parts } = readTemplate(written.trim());
  const tokens: Token[] = [];
  return parts && readTokens(`${flatten(parts)}\n`, tokens) === undefined ? tokens : undefined;
}

const flatten = (parts: readonly Part[]): string =>
  parts.map((part) => ("text" in part ? part.text : REFERENCE_MARK)).join("");

/** Adds the tokens but blanks; what it returns is why it stopped. */
function readTokens(flat: string, tokens: Token[]): string | undefined {
  const open: string[] = [];
  const pattern = new RegExp(TOKEN);
  for (let at = 0; at < flat.length; at = pattern.lastIndex) {
    const [token] = pattern.exec(flat) ?? [];
    if (token === undefined) return flawAt(flat.slice(at));
    const kind = kindOf(token);
    if (kind === undefined) continue;
    if ((kind === "string" || kind === "quoted") && token.includes(REFERENCE_MARK))
      return "A reference can't stand in quotes.";
    if (kind === "sign" && token === "&" && /(?:^|[^\p{L}\p{N}_])u$/iu.test(flat.slice(Math.max(0, at - 3), at)))
      return "U& can't be used: write the characters themselves.";
    if (kind === "close" && open.pop() !== token) return `It closes a bracket that it does not open: ${token}`;
    tokens.push({ kind, text: token, depth: open.length });
    if (kind === "open" && open.push(CLOSERS[token]!) > DEPTH_MAX) return "Its brackets nest too deep.";
  }
  return open.length > 0 ? `It opens a bracket that it does not close: ${open.at(-1)} is missing.` : undefined;
}

/** The pattern below takes a time that grows with the square. */
const LOOKED_AT_MAX = 1_000;

function flawAt(rest: string): string {
  const [first] = rest;
  if (first === "'" || first === '"')
    return /^(['"])(?:[^\\]|\\[^'"])*?\\+\1/.test(rest.slice(0, LOOKED_AT_MAX))
      ? "A backslash before a quote means one thing here and another there: double the quote instead."
      : `It opens a quote that it does not close: ${shorten(rest)}`;
  if (/^(?:--|\/\*)/.test(rest))
    return "A comment is -- with a blank behind it, or /* … */ with no other comment in it, and none for a server.";
  if (first === "`") return `It opens a quote that it does not close: ${shorten(rest)}`;
  if (first === ";") return "There can be no semicolon in it.";
  if (first === "?")
    return "A question mark would be taken for a bound value: use the function of the operator's name.";
  if (first === "$")
    return "A dollar sign would be taken for a bound value: quote text with '…', names with double quotes.";
  if (first === "#") return "# begins a comment in MySQL: use the function of the operator's name.";
  return "A backslash can't stand outside of quotes.";
}

function flawOfExpression(tokens: readonly Token[]): string | undefined {
  let before = "";
  for (const { kind, text, depth } of tokens) {
    if (kind === "comment") continue;
    const word = text.toUpperCase();
    if (kind === "sign" && depth === 0 && text === ",")
      return "It is one expression: there can be no comma outside of brackets.";
    if (kind === "word" && depth === 0 && isClause(word, before))
      return `It is one expression: ${word} can't stand outside of brackets.`;
    before = word;
  }
  return undefined;
}

function bareReferencesIn(parts: readonly Part[]): string[] {
  return parts.flatMap((part, i) => {
    const next = parts[i + 1];
    return "reference" in part && !(next && "text" in next && /^\s*\./.test(next.text)) ? [part.reference] : [];
  });
}

function identifiersOf(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  for (const { kind, text } of tokens) {
    if (kind === "word") names.add(text);
    else if (kind === "quoted") names.add(text.slice(1, -1).replaceAll(text[0]! + text[0]!, text[0]!));
  }
  return names;
}

/** A text may be a name, a path of names, or a statement. */
const textWordsOf = (tokens: readonly Token[]): Set<string> => {
  const texts = tokens.filter(({ kind }) => kind === "string").map(({ text }) => text.slice(1, -1));
  return new Set(texts.flatMap((text) => [...text.split("."), ...(text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [])]));
};

/** Every query that reads a table, in any dialect, has one of these before its name. */
const BEFORE_TABLES = new Set("FROM JOIN STRAIGHT_JOIN TABLE PIVOT UNPIVOT DESCRIBE SHOW SUMMARIZE".split(" "));

/** A chain of names with dots, with at most one pair of brackets behind it, or one pair alone, or one literal. */
function isAtomic(tokens: readonly Token[]): boolean {
  const shape = tokens
    .filter(({ kind, depth }) => kind !== "comment" && depth === 0)
    .map(({ kind, text }) => {
      if (kind === "word" || kind === "quoted" || kind === "reference")
        return OPERATORS.has(text.toUpperCase()) ? "o" : "n";
      if (kind === "open" || kind === "close" || text === ".") return text;
      return kind === "number" || kind === "string" ? "l" : "o";
    })
    .join("");
  return /^(?:n(?:\.n)*(?:\(\))?|\(\)|l)$/.test(shape);
}
const OPERATORS = new Set("NOT CASE INTERVAL DATE TIME TIMESTAMP DISTINCT".split(" "));
