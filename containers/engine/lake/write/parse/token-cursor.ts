// Reads the head of a statement token by token. Tokens that the cursor's callers do not understand go on as pieces of
// text, which the gate then parses as DuckDB does: a mistake here can make a statement fail, but never lets one past
// the gate.

import { Failure } from "../../../core/failure.ts";
import type { LakeText, SqlToken } from "../../sql/sql-text.ts";

/** A part of the statement as it was written; `at` is where it begins. */
export type Piece = { text: string; at: number };

/** A name of one to three parts, as written but for its quotes. */
export type NameParts = string[];

const CLOSING = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const PARTS_MAX = 3;
const tooManyParts = (what: string, partsMax: number): string => `${what} has at most ${partsMax} parts`;

export const refuseWrite = (message: string, at?: number): never => {
  throw new Failure("statement_refused", message, { position: at === undefined ? undefined : at + 1 });
};

export class TokenCursor {
  readonly #sql: string;
  readonly #tokens: readonly SqlToken[];
  #next: number;
  readonly #last: number;

  private constructor(sql: string, tokens: readonly SqlToken[], next: number, last: number) {
    this.#sql = sql;
    this.#tokens = tokens;
    this.#next = next;
    this.#last = last;
  }

  /** A cursor over all tokens of a text. */
  static over({ sql, tokens }: LakeText): TokenCursor {
    return new TokenCursor(sql, tokens, 0, tokens.length);
  }

  get ended(): boolean {
    return this.#next >= this.#last;
  }

  /** Where the next token begins. */
  get at(): number {
    return this.#tokens[this.#next]?.at ?? this.#sql.length;
  }

  /** Whether these words, or signs, come next. */
  isAt(...words: string[]): boolean {
    return words.every((word, i) => this.#next + i < this.#last && isText(this.#tokens[this.#next + i]!, word));
  }

  /** Passes these words, or signs, if they come next. */
  accept(...words: string[]): boolean {
    if (!this.isAt(...words)) return false;
    this.#next += words.length;
    return true;
  }

  /** Passes these words, or refuses the statement. */
  expect(...words: string[]): void {
    if (!this.accept(...words)) this.fail(`${words.join(" ").toUpperCase()} is missing`);
  }

  /** Refuses whatever is left. */
  expectEnd(): void {
    if (this.isAt(";")) this.fail("send one statement at a time");
    if (!this.ended) this.fail("the statement goes on where it should end");
  }

  /** Refuses the statement here. */
  fail(what: string): never {
    const near = this.#tokens[this.#next];
    return refuseWrite(
      `${what}${near && !this.ended ? `, near ${JSON.stringify(near.text.slice(0, 40))}` : ", at its end"}.`.replace(
        /^./,
        (first) => first.toUpperCase(),
      ),
      near?.at,
    );
  }

  /** A name of one part. */
  word(what: string): string {
    const parts = this.name(what);
    return parts.length === 1 ? parts[0]! : this.fail(`${what} has one part`);
  }

  /** A name, plain or quoted, with its qualifiers. */
  name(what: string, partsMax = PARTS_MAX): NameParts {
    const parts: NameParts = [];
    for (let isOpen = true; ; this.#next++) {
      const text = this.ended ? "" : this.#tokens[this.#next]!.text;
      if (!isOpen && (!text.startsWith(".") || text === "..")) break;
      if (isOpen && text.startsWith('"')) {
        parts.push(unquoted(text));
        isOpen = false;
      } else {
        // One token may hold several parts, and end with the point before the next: `a.b.`
        const words: string[] = (isOpen ? text : text.slice(1)).split(".");
        isOpen = words.at(-1) === "";
        if (isOpen) words.pop();
        if ((text === "" || words.length === 0) && text !== ".") this.fail(`${what} is missing`);
        if (!words.every((word) => /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(word)))
          this.fail(`${what} is missing, or has to be quoted`);
        if (words.length > partsMax) this.fail(tooManyParts(what, partsMax));
        parts.push(...words);
      }
    }
    return parts.length <= partsMax ? parts : this.fail(tooManyParts(what, partsMax));
  }

  /** Whether the next token can be a name. */
  get isAtName(): boolean {
    return !this.ended && /^(?:"|[\p{L}_])/u.test(this.#tokens[this.#next]!.text);
  }

  /** The content of the parentheses that come next, with a cursor of its own. */
  parenthesised(what: string): TokenCursor {
    if (!this.isAt("(")) this.fail(`${what} is missing its parenthesis`);
    const from = this.#next;
    this.skip();
    return new TokenCursor(this.#sql, this.#tokens, from + 1, this.#next - 1);
  }

  /**
   * The text up to where `isEnd` says, parentheses, brackets and CASE … END passed over whole. Refuses an empty one.
   */
  piece(what: string, isEnd: (cursor: TokenCursor) => boolean = () => false): Piece {
    const from = this.#next;
    while (!this.ended && !isEnd(this)) this.skip();
    if (this.#next === from) this.fail(`${what} is missing`);
    return this.since(from);
  }

  /** The pieces between commas, up to where `isEnd` says. */
  list(what: string, isEnd: (cursor: TokenCursor) => boolean = () => false): Piece[] {
    const pieces: Piece[] = [];
    do pieces.push(this.piece(what, (cursor) => cursor.isAt(",") || isEnd(cursor)));
    while (this.accept(","));
    return pieces;
  }

  /** Whether the words come somewhere ahead, within no parentheses. Goes there if they do. */
  advanceTo(...candidates: string[]): boolean {
    const from = this.#next;
    while (!this.ended) {
      if (candidates.some((word) => this.isAt(word))) return true;
      this.skip();
    }
    this.#next = from;
    return false;
  }

  /** The text from a position on, up to here. */
  since(from: number): Piece {
    const at = this.#tokens[from]!.at;
    return { text: this.#sql.slice(at, this.#tokens[this.#next - 1]!.end), at };
  }

  /** A position to return to. */
  get position(): number {
    return this.#next;
  }

  returnTo(position: number): void {
    this.#next = position;
  }

  /** Whether the word before the next one is one of these. */
  follows(...words: string[]): boolean {
    const before = this.#tokens[this.#next - 1];
    return before !== undefined && words.some((word) => isText(before, word));
  }

  /** Passes one token, or all up to the end of what it opens. */
  skip(): void {
    const open: string[] = [];
    const start = this.#next;
    do {
      const token = this.#tokens[this.#next];
      if (!token || this.#next >= this.#last) {
        this.#next = start;
        this.fail("something that is opened here is never closed");
      }
      if (token.text === ";") this.fail("send one statement at a time");
      const closing = CLOSING.get(token.text);
      if (closing !== undefined) open.push(closing);
      else if (isText(token, "case") && !this.#tokens[this.#next - 1]?.text.endsWith(".")) open.push("end");
      else if (token.text === open.at(-1) || (open.at(-1) === "end" && isText(token, "end"))) open.pop();
      else if (/^[)\]}]$/.test(token.text)) this.fail("something is closed here that was not opened");
      this.#next++;
    } while (open.length > 0);
  }
}

const isText = ({ text }: SqlToken, word: string): boolean =>
  text.length === word.length && text.toLowerCase() === word;
const unquoted = (text: string): string => text.slice(1, -1).replaceAll('""', '"');
