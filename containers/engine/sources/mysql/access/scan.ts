// A statement of a caller whom roles bind, cut into pieces that any server reads alike. The statement to send is
// written anew from these pieces: where the server would have cut the caller's text elsewhere, it never sees that text.

import { refused } from "../../statement-tokens.ts";

/**
 * `word` is a bare word of ASCII, as written: a keyword or a name. `name` is an identifier for certain, without its
 * quotes. `string` and `number` are literals as they are sent, `symbol` an operator or a sign.
 */
export type Piece = {
  kind: "word" | "name" | "string" | "number" | "symbol";
  text: string;
  /** Where it stands in the caller's text. */
  at: number;
  /**
   * The line ends of the space and the comments before the piece, so that the server counts lines as the caller does.
   */
  gap: string;
};

const WORD = /[A-Za-z0-9_$\u0080-\u{10ffff}]+/uy;
const BARE_WORD = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NUMBER = /0x[0-9A-Fa-f]+|0b[01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const SPACE = /[\t-\r ]+|#[^\n]*|--(?=[\t-\r ]|$)[^\n]*|\/\*(?!M?!)[\s\S]*?\*\//iy;
const SYMBOL = /<=>|->>|<=|>=|<>|!=|\|\||&&|<<|>>|->|[(),.*+\-/%<>=!|&^~?]/y;
const WORD_CHARACTER = /[A-Za-z0-9_$\u0080-\uffff]/;
/** Introducers whose strings may be written byte by byte: no byte of a letter can pass for a quote or a backslash. */
const INTRODUCERS = ["_utf8mb4", "_utf8mb3", "_utf8", "_latin1", "_ascii", "_binary"];
const LITERAL_BYTES: Readonly<Record<string, RegExp>> = { x: /^(?:[0-9A-Fa-f]{2})*$/, b: /^[01]*$/ };

/** Throws `statement_refused` for whatever is not plainly one of the pieces. */
export function scan(sql: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (let at = skipSpace(sql, 0); at < sql.length; at = skipSpace(sql, end)) {
    const skipped = sql.slice(end, at);
    const gap = skipped.replace(/[^\n]/g, "") || (skipped === "" ? "" : " ");
    const before = pieces.at(-1);
    const read = readPiece(sql, at);
    end = read.end;
    if (read.kind === "number" && read.text.startsWith(".") && gap === "" && isIdentifier(before))
      throw refused(sql, at, "A name can't begin with a digit. Quote it with backticks.");
    if (read.kind === "string" && before?.kind === "word") checkIntroducer(sql, before);
    pieces.push({ kind: read.kind, text: read.text, at, gap });
  }
  checkDots(sql, pieces);
  return pieces;
}

export const isIdentifier = (piece: Piece | undefined): boolean => piece?.kind === "word" || piece?.kind === "name";
export const isSymbol = (piece: Piece | undefined, text: string): boolean =>
  piece?.kind === "symbol" && piece.text === text;
/** In capitals; undefined for what is no bare word. */
export const keywordOf = (piece: Piece | undefined): string | undefined =>
  piece?.kind === "word" ? piece.text.toUpperCase() : undefined;

type Read = Pick<Piece, "kind" | "text"> & { end: number };

const matchAt = (pattern: RegExp, sql: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
};

function skipSpace(sql: string, from: number): number {
  let at = from;
  for (let space = matchAt(SPACE, sql, at); space !== undefined; space = matchAt(SPACE, sql, at)) at += space.length;
  return at;
}

function readPiece(sql: string, at: number): Read {
  const character = sql[at]!;
  if (character === "'" || character === '"') return readString(sql, at);
  if (character === "`") return readName(sql, at);
  if (/\d/.test(character) || (character === "." && /\d/.test(sql[at + 1] ?? ""))) return readNumber(sql, at);
  const word = matchAt(WORD, sql, at);
  if (word !== undefined) return readWord(sql, at, word);
  const symbol = matchAt(SYMBOL, sql, at);
  if (symbol === undefined) throw refused(sql, at, `${character} is not allowed here.`);
  return { kind: "symbol", text: symbol, end: at + symbol.length };
}

function readWord(sql: string, at: number, word: string): Read {
  const end = at + word.length;
  if (sql[end] === "'" && /^[nxb]$/i.test(word)) return readPrefixed(sql, end, word.toLowerCase());
  if (word.startsWith("$")) throw refused(sql, at, "Dollar signs may not begin a word. Quote it with backticks.");
  return { kind: BARE_WORD.test(word) ? "word" : "name", text: word, end };
}

/** Reads a string with a prefix: `N'…'`, `x'…'` and `b'…'`. */
function readPrefixed(sql: string, quoteAt: number, prefix: string): Read {
  const read = readString(sql, quoteAt);
  const bytes = LITERAL_BYTES[prefix];
  if (bytes && !bytes.test(read.text.slice(1, -1))) throw refused(sql, quoteAt, "This is no hexadecimal or bit value.");
  return { ...read, text: `${prefix}${read.text}` };
}

function readNumber(sql: string, at: number): Read {
  const text = matchAt(NUMBER, sql, at)!;
  const end = at + text.length;
  if (WORD_CHARACTER.test(sql[end] ?? ""))
    throw refused(
      sql,
      at,
      "A number and a word need a space between them; a name that begins with a digit, backticks.",
    );
  return { kind: "number", text, end };
}

function readName(sql: string, start: number): Read {
  const end = endOfQuoted(sql, start);
  const text = sql.slice(start + 1, end - 1).replaceAll("``", "`");
  if (text === "" || text.includes("\0")) throw refused(sql, start, "A quoted identifier is empty.");
  return { kind: "name", text, end };
}

/** Written in single quotes so that it ends at the same place whether or not backslashes escape. */
function readString(sql: string, start: number): Read {
  const quote = sql[start]!;
  const end = endOfQuoted(sql, start);
  let text = "'";
  for (let at = start + 1; at < end - 1; at++) {
    let character = sql[at]!;
    if (character === quote) at++;
    else if (character === "\\") {
      const escaped = sql[++at]!;
      character = escaped === "'" || escaped === '"' ? escaped : `\\${escaped}`;
    }
    text += character === "'" ? "''" : character;
  }
  return { kind: "string", text: `${text}'`, end };
}

function endOfQuoted(sql: string, start: number): number {
  const quote = sql[start]!;
  for (let at = start + 1; at < sql.length; at++) {
    if (sql[at] === "\\" && quote !== "`") at++;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  throw refused(sql, start, "A quotation is not closed.");
}

function checkIntroducer(sql: string, { text, at }: Piece): void {
  if (text.startsWith("_") && !INTRODUCERS.includes(text.toLowerCase()))
    throw refused(sql, at, `Strings can't be written in ${text}. Convert them with CONVERT(… USING …).`);
}

/** A dot stands between two names, or a name and a star; what else it may mean, no two servers agree on. */
function checkDots(sql: string, pieces: readonly Piece[]): void {
  pieces.forEach((piece, i) => {
    if (!isSymbol(piece, ".")) return;
    const next = pieces[i + 1];
    if (!isIdentifier(pieces[i - 1]) || !(isIdentifier(next) || isSymbol(next, "*")))
      throw refused(sql, piece.at, "A dot has to stand between two names.");
  });
}
