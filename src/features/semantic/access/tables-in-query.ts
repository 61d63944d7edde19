// The tables that a query reads, as they are written. In doubt too many: what follows FROM or JOIN is one, be it a name
// that the query has given to something itself.

import { tokensOf, type Token } from "../model/sql-fragment.ts";

/** Functions whose arguments have a FROM between them. */
const FROM_WITHIN = new Set("EXTRACT TRIM SUBSTRING SUBSTR OVERLAY".split(" "));
const QUERIES = new Set("SELECT WITH VALUES".split(" "));
/** Behind these stands a table. */
const BEFORE_TABLES = new Set("FROM JOIN STRAIGHT_JOIN".split(" "));
/** Between FROM and the name, where it is one. */
const PREFIXES = new Set("ONLY LATERAL".split(" "));
/** Ends the list that FROM begins. */
const AFTER_TABLES = new Set(
  "WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT WINDOW QUALIFY FOR".split(" "),
);

/** Each by its steps, without quotes: `[schema, table]` or `[table]`. Undefined where what is read is not by name. */
export function tablesInQuery(sql: string): string[][] | undefined {
  const tokens = tokensOf(sql)?.filter(({ kind }) => kind !== "comment");
  return tokens && new QueryTables(tokens).read();
}

class QueryTables {
  readonly #tokens: readonly Token[];
  readonly #tables: string[][] = [];
  /** By depth, whether commas there part tables. */
  readonly #lists = new Map<number, boolean>();
  /** Brackets around tables, by their places. */
  readonly #joins = new Set<number>();
  /** Where names that WITH gives mean what it defines: from the end of that to the end of the query it is in. */
  readonly #defined: { name: string; from: number; to: number }[] = [];
  #isClear = true;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): string[][] | undefined {
    this.#tokens.forEach((token, at) => this.#look(token, at));
    return this.#isClear ? this.#tables : undefined;
  }

  #look({ kind, text, depth }: Token, at: number): void {
    const word = this.#wordAt(at);
    // PostgreSQL and MySQL read a table by this word alone.
    if (word === "TABLE" || word === "EXECUTE") this.#isClear = false;
    if (kind === "open") this.#lists.set(depth + 1, this.#joins.has(at));
    if (AFTER_TABLES.has(word)) this.#lists.set(depth, false);
    if (word === "AS" && this.#tokens[at + 1]?.kind === "open") this.#define(at);
    if (BEFORE_TABLES.has(word) && !this.#isOperator(at)) {
      this.#lists.set(depth, true);
      this.#takeTable(at + 1);
    } else if (kind === "sign" && text === "," && this.#lists.get(depth)) this.#takeTable(at + 1);
  }

  #define(at: number): void {
    const { depth } = this.#tokens[at]!;
    const isWith = ["WITH", "RECURSIVE", ","].includes(this.#wordAt(at - 2) || (this.#tokens[at - 2]?.text ?? ""));
    if (!isWith || this.#lists.get(depth) || !isName(this.#tokens[at - 1])) return;
    const end = (outer: number): number => {
      const found = this.#tokens.findIndex((token, i) => i > at + 1 && token.kind === "close" && token.depth === outer);
      return found < 0 ? this.#tokens.length : found;
    };
    this.#defined.push({ name: unquoted(this.#tokens[at - 1]!), from: end(depth), to: end(depth - 1) });
  }

  /** `IS DISTINCT FROM`, and the FROM between a function's arguments. */
  #isOperator(at: number): boolean {
    if (this.#wordAt(at - 1) === "DISTINCT" && ["IS", "NOT"].includes(this.#wordAt(at - 2))) return true;
    const { depth } = this.#tokens[at]!;
    const open = this.#tokens.findLastIndex((token, i) => i < at && token.kind === "open" && token.depth === depth - 1);
    return open > 0 && FROM_WITHIN.has(this.#wordAt(open - 1));
  }

  /** A name, or brackets around tables or a query of which the same is to be found. */
  #takeTable(start: number): void {
    let at = start;
    while (PREFIXES.has(this.#wordAt(at))) at++;
    if (this.#tokens[at]?.kind === "open") {
      if (QUERIES.has(this.#wordAt(at + 1))) return;
      this.#joins.add(at);
      return this.#takeTable(at + 1);
    }
    const steps: string[] = [];
    for (; isName(this.#tokens[at]); at += 2) {
      steps.push(unquoted(this.#tokens[at]!));
      if (this.#tokens[at + 1]?.text !== ".") break;
    }
    // A function, a literal, a reference.
    if (steps.length === 0 || this.#tokens[at + 1]?.text === "(") this.#isClear = false;
    else if (!this.#isDefined(steps, at)) this.#tables.push(steps);
  }

  #isDefined([name, ...more]: readonly string[], at: number): boolean {
    return (
      more.length === 0 &&
      this.#defined.some((defined) => defined.name === name && defined.from < at && at < defined.to)
    );
  }

  #wordAt(at: number): string {
    const token = this.#tokens[at];
    return token?.kind === "word" ? token.text.toUpperCase() : "";
  }
}

const isName = (token: Token | undefined): boolean => token?.kind === "word" || token?.kind === "quoted";

const unquoted = ({ kind, text }: Token): string =>
  kind === "quoted" ? text.slice(1, -1).replaceAll(text[0]! + text[0]!, text[0]!) : text;
