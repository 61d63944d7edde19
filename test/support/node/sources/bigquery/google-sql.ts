// GoogleSQL as DuckDB's SQL, token by token: quotes, names, types, and what is spelled otherwise. What it does not know
// goes through as it is, for DuckDB to refuse.

type Token = { kind: "word" | "name" | "string" | "bytes" | "symbol"; text: string };

/** Spaces and comments are between tokens, and are none. */
const SPACE = /(?:\s+|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const TOKEN =
  /`(?<name>[^`]+)`|(?<prefix>[rRbB]{1,2}(?=["']))?(?:"""(?<a>[\s\S]*?)"""|'''(?<b>[\s\S]*?)'''|"(?<c>(?:[^"\\]|\\[\s\S])*)"|'(?<d>(?:[^'\\]|\\[\s\S])*)')|(?<word>[A-Za-z_]\w*)|(?<symbol>\d[\w.]*(?:(?<=[eE])[+-]\d+)?|<>|<=|>=|!=|\|\||[\s\S])/y;

function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ; ) {
    SPACE.lastIndex = at;
    SPACE.exec(sql);
    TOKEN.lastIndex = SPACE.lastIndex;
    const groups = TOKEN.exec(sql)?.groups;
    if (!groups) return tokens;
    at = TOKEN.lastIndex;
    const { name, prefix = "", a, b, c, d, word, symbol } = groups;
    const string = a ?? b ?? c ?? d;
    if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (string !== undefined) {
      const text = /r/i.test(prefix) ? string : unescape(string);
      tokens.push({ kind: /b/i.test(prefix) ? "bytes" : "string", text });
    } else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else tokens.push({ kind: "symbol", text: symbol! });
  }
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

const unescape = (text: string): string =>
  text.replace(
    /\\(?:[xuU]((?<=x)[\da-f]{2}|(?<=u)[\da-f]{4}|(?<=U)[\da-f]{8})|([\s\S]))/gi,
    (_, digits?: string, plain?: string) =>
      plain === undefined ? String.fromCodePoint(Number.parseInt(digits!, 16)) : (ESCAPES[plain] ?? plain),
  );

/** GoogleSQL's types, where DuckDB's have other names, or are not there: those are texts within a tag. */
const TYPES: Record<string, string> = {
  INT64: "BIGINT",
  FLOAT64: "DOUBLE",
  NUMERIC: "DECIMAL(38, 9)",
  STRING: "VARCHAR",
  BYTES: "BLOB",
  BOOL: "BOOLEAN",
  DATETIME: "TIMESTAMP",
  TIMESTAMP: "TIMESTAMPTZ",
  BIGNUMERIC: 'STRUCT("@BIGNUMERIC" VARCHAR)',
  GEOGRAPHY: 'STRUCT("@GEOGRAPHY" VARCHAR)',
};
/** They name what they begin: `GEOGRAPHY '…'` is a value within its tag. */
const TAGGED = ["BIGNUMERIC", "GEOGRAPHY"];
/** Functions that DuckDB has by another name, or has by this name and otherwise. */
const FUNCTIONS: Record<string, string> = {
  SAFE_CAST: "TRY_CAST",
  CURRENT_TIMESTAMP: "now",
  FORMAT: "printf",
  MOD: "bq_mod",
  SHA256: "bq_sha256",
  DATE: "bq_date",
  TIMESTAMP: "bq_timestamp",
  DATETIME: "bq_datetime",
  TIME: "bq_time",
  STRING: "bq_string",
  NUMERIC: "DECIMAL",
};

/** How a table is called as of a moment, in microseconds since 1970. */
export type AsOf = (dataset: string, table: string, micros: bigint) => string;

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** `project`: what names may begin with, and then do without. */
export const toDuckdb = (sql: string, project: string, asOf: AsOf): string =>
  new Translation(tokenize(sql), project, asOf).text();

class Translation {
  readonly #tokens: readonly Token[];
  readonly #project: string;
  readonly #asOf: AsOf;
  #at = 0;

  constructor(tokens: readonly Token[], project: string, asOf: AsOf) {
    this.#tokens = tokens;
    this.#project = project;
    this.#asOf = asOf;
  }

  /** Up to the parenthesis that closes the one before, or to the end. */
  text(): string {
    const pieces: string[] = [];
    while (this.#at < this.#tokens.length && !this.#is(")")) pieces.push(this.#piece());
    return pieces.join(" ");
  }

  #is(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead];
    return token !== undefined && /^(word|symbol)$/.test(token.kind) && token.text.toUpperCase() === text;
  }

  #areNext(...texts: string[]): boolean {
    return texts.every((text, i) => this.#is(text, i));
  }

  #piece(): string {
    if (this.#areNext("CONCAT", "(")) return this.#concat();
    if (this.#areNext("UNNEST", "(")) return this.#unnest();
    if (this.#areNext("FOR", "SYSTEM_TIME")) throw new Error("The fake reads tables alone as of a moment.");
    if (this.#areNext("CAST", "(", "?", "AS", "BIGNUMERIC", ")")) {
      this.#at += 6;
      return "{'@BIGNUMERIC': ?}";
    }
    if (this.#areNext("ARRAY", "<")) return this.#arrayType();
    if (this.#areNext("STRUCT", "<")) return `STRUCT (${this.#angled()})`;
    const token = this.#tokens[this.#at++]!;
    if (token.text === "(" && token.kind === "symbol") {
      this.#at--;
      return `(${this.#arguments(0)})`;
    }
    if (token.kind === "string") return quoteText(token.text);
    if (token.kind === "bytes") return `${quoteText(bytesText(token.text))}::BLOB`;
    if (token.kind === "symbol") return token.text;
    return this.#is(".") || token.kind === "name" ? this.#path(token) : this.#word(token.text);
  }

  /** What stands in the parenthesis so many tokens on. */
  #arguments(ahead: number): string {
    this.#at += ahead + 1;
    const text = this.text();
    if (!this.#is(")")) throw new Error("Syntax error: Unexpected end of script");
    this.#at++;
    return text;
  }

  /** NULL where any part is, which DuckDB's own CONCAT leaves out. */
  #concat(): string {
    this.#at += 2;
    let parts = "(";
    while (!this.#is(")") && this.#at < this.#tokens.length) {
      const piece = this.#piece();
      parts += piece === "," ? ") || (" : ` ${piece}`;
    }
    this.#at++;
    return `(${parts}))`;
  }

  /** The type of an array; DuckDB sees by itself the type of a literal's elements. */
  #arrayType(): string {
    const element = this.#angled();
    return this.#is("[") ? "" : `${element}[]`;
  }

  /** What stands in the angle brackets behind the next token. */
  #angled(): string {
    this.#at += 2;
    const pieces: string[] = [];
    while (this.#at < this.#tokens.length && !this.#is(">")) pieces.push(this.#piece());
    this.#at++;
    return pieces.join(" ");
  }

  /** `UNNEST(x) AS e WITH OFFSET AS o` gives its elements names, which in DuckDB only a subquery does. */
  #unnest(): string {
    const list = this.#arguments(1);
    if (this.#is("AS")) this.#at++;
    if (this.#tokens[this.#at]?.kind !== "word") return `UNNEST(${list})`;
    const element = this.#tokens[this.#at++]!.text;
    const [, from, to] = /^GENERATE_ARRAY \((\S+) , (\S+)\)$/i.exec(list) ?? [];
    // Made as they are read, however many they are.
    if (from !== undefined) return `(SELECT range AS ${element} FROM range(${from}, ${to} + 1)) AS _${element}`;
    let offset = "";
    if (this.#areNext("WITH", "OFFSET")) {
      this.#at += this.#is("AS", 2) ? 3 : 2;
      offset = `, generate_subscripts(${list}, 1) - 1 AS ${this.#tokens[this.#at++]!.text}`;
    }
    return `(SELECT UNNEST(${list}) AS ${element}${offset}) AS _${element}`;
  }

  /** `a.b.c`, each part in quotes or not: of a table, or of what is in one. */
  #path(first: Token): string {
    const parts = first.kind === "name" ? first.text.split(".") : [first.text];
    while (this.#is(".") && this.#tokens[this.#at + 1]?.kind !== "symbol") {
      const { kind, text } = this.#tokens[this.#at + 1]!;
      parts.push(...(kind === "name" ? text.split(".") : [text]));
      this.#at += 2;
    }
    const [dataset = "", table, ...more] = parts[0] === this.#project ? parts.slice(1) : parts;
    const moment = this.#moment();
    if (moment !== undefined) return this.#asOf(dataset, table!, moment);
    return [dataset, ...(table === undefined ? [] : [table]), ...more].map(quoteName).join(".");
  }

  /** `FOR SYSTEM_TIME AS OF TIMESTAMP_MICROS(1)`, where that is next. */
  #moment(): bigint | undefined {
    if (!this.#areNext("FOR", "SYSTEM_TIME", "AS", "OF", "TIMESTAMP_MICROS", "(")) return undefined;
    const micros = BigInt(this.#tokens[this.#at + 6]!.text);
    this.#at += 8;
    return micros;
  }

  #word(word: string): string {
    const upper = word.toUpperCase();
    const isCall = this.#is("(");
    if (TAGGED.includes(upper) && this.#tokens[this.#at]?.kind === "string")
      return `{'@${upper}': ${quoteText(this.#tokens[this.#at++]!.text)}}`;
    if (isCall && Object.hasOwn(FUNCTIONS, upper)) return FUNCTIONS[upper]!;
    return !isCall && Object.hasOwn(TYPES, upper) ? TYPES[upper]! : word;
  }
}

/** DuckDB's way to write bytes: all of them by their digits. */
const bytesText = (text: string): string =>
  Array.from(Buffer.from(text, "latin1"), (byte) => `\\x${byte.toString(16).padStart(2, "0").toUpperCase()}`).join("");

/** Prints as DuckDB casts; the format is the one that is meant. */
const printed = (format: string, text: string): string =>
  `CASE WHEN ${format} = '%E4Y-%m-%d %H:%M:%E*S' THEN CAST(${text} AS VARCHAR) ELSE error('no such format') END`;

/** Functions that DuckDB lacks, or has of other values: its hashes are digits. */
export const MACROS = [
  "bq_date(x) AS CAST(x AS DATE)",
  "bq_timestamp(x) AS CAST(x AS TIMESTAMPTZ), (x, zone) AS timezone(zone, x)",
  "bq_datetime(x) AS CAST(x AS TIMESTAMP)",
  "bq_time(x) AS CAST(x AS TIME)",
  "bq_string(x) AS CAST(x AS VARCHAR)",
  "bq_mod(a, b) AS (a % b)",
  "bq_sha256(x) AS unhex(sha256(x))",
  "generate_array(a, b) AS generate_series(a, b)",
  "div(a, b) AS (a // b)",
  "to_hex(x) AS lower(hex(CAST(x AS BLOB)))",
  "byte_length(x) AS strlen(x)",
  "unix_micros(x) AS epoch_us(x)",
  "unix_seconds(x) AS CAST(floor(epoch_us(x) / 1000000) AS BIGINT)",
  "unix_date(x) AS date_diff('day', DATE '1970-01-01', x)",
  `format_datetime(f, x) AS ${printed("f", "x")}`,
  `format_timestamp(f, x, zone) AS ${printed("f", "timezone(zone, x)")}`,
  "parse_bignumeric(x) AS CAST(x AS HUGEINT)",
  "to_json_string(x) AS CAST(to_json(x) AS VARCHAR)",
  'st_asbinary(x) AS encode(x."@GEOGRAPHY")',
].map((macro) => `CREATE MACRO ${macro}`);
