// SQL of the lake as text: where its tokens end, without knowing what they mean.
//
// The gate and the parser of writes each read a text once, as a `LakeText`. docs/internals/statement-checks.md says why
// other readers of a statement's text are no part of that.

export const SQL_CHARACTERS_MAX = 1_000_000;
/** The most tokens of a statement, which bounds the cost of parsing. */
export const TOKENS_MAX = 50_000;

/**
 * The end of the token that starts at `at` (a run of space, a comment, a quoted text, a word or number, or one sign).
 */
export function tokenEnd(sql: string, at: number): number {
  const char = sql[at]!;
  if (char === "'" || char === '"') return quotedEnd(sql, at, char);
  if (char === "$") {
    const tag = /^\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/u.exec(sql.slice(at, at + 100))?.[0];
    if (tag) return endOf(sql, tag, at + tag.length);
  }
  if (char === "-" && sql[at + 1] === "-") return lineEnd(sql, at);
  if (char === "/" && sql[at + 1] === "*") return commentEnd(sql, at);
  const run = isSpace(char) ? isSpace : isWord(char) ? continuesWord : undefined;
  let end = at + 1;
  if (run) while (end < sql.length && run(sql[end]!)) end++;
  return end;
}

/** Characters of Unicode that DuckDB takes for a plain space. */
const UNICODE_SPACE = /[\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]/;
const isSpace = (char: string): boolean => char <= " " || UNICODE_SPACE.test(char);
const isWord = (char: string): boolean => (char > "\u007f" && !isSpace(char)) || /[\w.]/.test(char);
const continuesWord = (char: string): boolean => char === "$" || isWord(char);
const isComment = (sql: string, at: number): boolean => sql.startsWith("--", at) || sql.startsWith("/*", at);

function endOf(sql: string, closing: string, from: number): number {
  const found = sql.indexOf(closing, from);
  return found < 0 ? sql.length : found + closing.length;
}

/** The end of a line's comment, before any kind of line break. */
function lineEnd(sql: string, at: number): number {
  const found = sql.slice(at).search(/[\r\n]/);
  return found < 0 ? sql.length : at + found + 1;
}

/** The end of a quoted text: a doubled quote stands for one; after `E` a backslash escapes. */
function quotedEnd(sql: string, at: number, quote: string): number {
  const escapes = quote === "'" && /[eE]/.test(sql[at - 1] ?? "") && !continuesWord(sql[at - 2] ?? " ");
  for (let i = at + 1; i < sql.length; i++) {
    if (escapes && sql[i] === "\\") i++;
    else if (sql[i] === quote) {
      if (sql[i + 1] !== quote) return i + 1;
      i++;
    }
  }
  return sql.length;
}

/** The end of a block comment; block comments nest, as in PostgreSQL. */
function commentEnd(sql: string, at: number): number {
  let depth = 0;
  for (let i = at; i < sql.length; i++) {
    if (sql.startsWith("/*", i)) {
      depth++;
      i++;
    } else if (sql.startsWith("*/", i)) {
      if (--depth === 0) return i + 2;
      i++;
    }
  }
  return sql.length;
}

/** `at` and `end`: where a token begins and ends, in UTF-16 units. */
export type SqlToken = { text: string; at: number; end: number };

/** The tokens, space and comments left out. */
export function* tokensOf(sql: string): Generator<SqlToken> {
  for (let at = 0; at < sql.length; ) {
    const end = tokenEnd(sql, at);
    if (!isSpace(sql[at]!) && !isComment(sql, at)) yield { text: sql.slice(at, end), at, end };
    at = end;
  }
}

/** A statement of the lake, or a part of it, whose tokens are read once, by the first who asks for them. */
export class LakeText {
  readonly sql: string;
  #tokens: readonly SqlToken[] | undefined;

  /** `tokens`: those of `sql`, where they are known. */
  constructor(sql: string, tokens?: readonly SqlToken[]) {
    this.sql = sql;
    this.#tokens = tokens;
  }

  /**
   * A statement, whose tokens are without the semicolons at its end; undefined where there are more than `most`, these
   * included.
   */
  static read(sql: string, most: number): LakeText | undefined {
    const tokens: SqlToken[] = [];
    for (const token of tokensOf(sql)) {
      if (tokens.length === most) return undefined;
      tokens.push(token);
    }
    while (tokens.at(-1)?.text === ";") tokens.pop();
    return new LakeText(sql, tokens);
  }

  get tokens(): readonly SqlToken[] {
    return (this.#tokens ??= [...tokensOf(this.sql)]);
  }

  /** The text up to the end of its last token. */
  get trimmed(): LakeText {
    return new LakeText(this.sql.slice(0, this.tokens.at(-1)?.end ?? 0), this.tokens);
  }

  /** Whether every comment and quoted text that begins also ends. Only the last can fail to. */
  get isClosed(): boolean {
    const { sql } = this;
    let last = 0;
    for (let at = this.tokens.at(-1)?.at ?? 0; at < sql.length; at = tokenEnd(sql, at)) last = at;
    return (
      sql === "" ||
      isSpace(sql[last]!) ||
      sql.startsWith("--", last) ||
      /^[\p{L}\p{N}_.]/u.test(sql[last]!) ||
      tokenEnd(`${sql} `, last) === sql.length
    );
  }

  /** Whether parentheses and brackets nest deeper than `max`, closed or not. */
  nestsBeyond(max: number): boolean {
    let open = 0;
    for (const { text } of this.tokens) {
      if ("([{".includes(text)) open++;
      else if (")]}".includes(text) && open > 0) open--;
      if (open > max) return true;
    }
    return false;
  }

  /**
   * The text that a leading `EXPLAIN [ANALYZE]` explains, and how far in it begins; `undefined` where the text does not
   * start with one.
   */
  get explained(): { explain: "EXPLAIN" | "EXPLAIN ANALYZE"; body: LakeText; offset: number } | undefined {
    const [first, second] = this.tokens;
    if (first?.text.toLowerCase() !== "explain") return undefined;
    const isAnalyze = /^analy[sz]e$/i.test(second?.text ?? "");
    const tokens = this.tokens.slice(isAnalyze ? 2 : 1);
    const offset = tokens[0]?.at;
    if (offset === undefined) return undefined;
    const moved = tokens.map(({ text, at, end }) => ({ text, at: at - offset, end: end - offset }));
    const body = new LakeText(this.sql.slice(offset), moved);
    return { explain: isAnalyze ? "EXPLAIN ANALYZE" : "EXPLAIN", body, offset };
  }
}
