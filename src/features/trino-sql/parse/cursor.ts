// A place in a statement's words, from which its parsers read on.

import type { Token } from "./lexer.ts";
import { tokensOf } from "./lexer.ts";
import { Refusal } from "../refusal.ts";
import type { Name, Query } from "./tree.ts";

/** Words that are no names unless they are quoted: Trino's reserved ones. */
const RESERVED = new Set(
  (
    "ALTER AND AS AUTO BETWEEN BY CASE CAST CONSTRAINT CREATE CROSS CUBE CURRENT_CATALOG CURRENT_DATE CURRENT_PATH " +
    "CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEALLOCATE DELETE DESCRIBE DISTINCT DROP " +
    "ELSE END ESCAPE EXCEPT EXISTS EXTRACT FALSE FOR FROM FULL GROUP GROUPING HAVING IN INNER INSERT INTERSECT INTO IS " +
    "JOIN JSON_ARRAY JSON_EXISTS JSON_OBJECT JSON_QUERY JSON_TABLE JSON_VALUE LEFT LIKE LISTAGG LOCALTIME " +
    "LOCALTIMESTAMP NATURAL NORMALIZE NOT NULL ON OR ORDER OUTER PREPARE RECURSIVE RIGHT ROLLUP SELECT SKIP TABLE THEN " +
    "TRIM TRUE UESCAPE UNION UNNEST USING VALUES WHEN WHERE WITH"
  ).split(" "),
);

/** Whether a word is a name without quotes. `upper`: in capitals. */
export const isReserved = (upper: string): boolean => RESERVED.has(upper);

/** How deep expressions and queries may be in one another. */
const DEPTH_MAX = 200;

export class Cursor {
  readonly tokens: readonly Token[];
  /** How many parameters there were so far. */
  parameters = 0;
  #at = 0;
  #depth = 0;

  /** Expressions have queries in them, and queries expressions. */
  readonly #parseQuery: (cursor: Cursor) => Query;

  constructor(sql: string, parseQuery: (cursor: Cursor) => Query) {
    this.#parseQuery = parseQuery;
    this.tokens = tokensOf(sql);
  }

  get token(): Token {
    return this.tokens[this.#at]!;
  }

  ahead(count: number): Token {
    return this.tokens[Math.min(this.#at + count, this.tokens.length - 1)]!;
  }

  take(): Token {
    const { token } = this;
    if (token.kind !== "end") this.#at++;
    return token;
  }

  /** Whether these words come next. */
  sees(...words: string[]): boolean {
    return words.every((word, i) => {
      const token = this.ahead(i);
      return token.kind === "word" ? token.upper === word : token.kind === "sign" && token.text === word;
    });
  }

  /** Reads these words where they come next. */
  accepts(...words: string[]): boolean {
    if (!this.sees(...words)) return false;
    this.#at += words.length;
    return true;
  }

  expect(...words: string[]): void {
    for (const word of words) if (!this.accepts(word)) throw this.unexpected(word);
  }

  unexpected(expected?: string): Refusal {
    const { kind, text, at } = this.token;
    const seen = kind === "end" ? "<EOF>" : text;
    return new Refusal("SYNTAX_ERROR", `mismatched input '${seen}'.${expected ? ` Expecting: '${expected}'` : ""}`, at);
  }

  /** Whether a name comes next. */
  seesName(): boolean {
    const { token } = this;
    return token.kind === "name" || (token.kind === "word" && !isReserved(token.upper));
  }

  name(): Name {
    if (!this.seesName()) throw this.unexpected("<identifier>");
    const { kind, text, at } = this.take();
    return { text, isQuoted: kind === "name", at };
  }

  names(): Name[] {
    const names = [this.name()];
    while (this.accepts(".")) names.push(this.name());
    return names;
  }

  string(): string {
    if (this.token.kind !== "string") throw this.unexpected("<string>");
    return this.take().text;
  }

  /** What `read` reads, one or more with commas between them. */
  list<Item>(read: () => Item): Item[] {
    const items = [read()];
    while (this.accepts(",")) items.push(read());
    return items;
  }

  listInParentheses<Item>(read: () => Item): Item[] {
    this.expect("(");
    const items = this.list(read);
    this.expect(")");
    return items;
  }

  deeper<Read>(read: () => Read): Read {
    if (++this.#depth > DEPTH_MAX)
      throw new Refusal("NOT_SUPPORTED", "The statement has too much of it in one another.", this.token.at);
    const what = read();
    this.#depth--;
    return what;
  }

  query(): Query {
    return this.#parseQuery(this);
  }

  end(): void {
    this.accepts(";");
    if (this.token.kind !== "end") throw this.unexpected("<EOF>");
  }
}
