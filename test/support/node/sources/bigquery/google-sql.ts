// GoogleSQL as DuckDB's SQL, word by word: quotes, names, types and the functions that are spelled otherwise. What it
// does not know goes through as it is, for DuckDB to refuse.

type Token = { kind: "word" | "name" | "string" | "bytes" | "symbol" | "space"; text: string };

const TOKEN =
  /(?<space>\s+|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)|`(?<name>[^`]+)`|(?<prefix>\b[rRbB]{1,2})?(?:"""(?<s3>[\s\S]*?)"""|'''(?<t3>[\s\S]*?)'''|"(?<s1>(?:[^"\\]|\\[\s\S])*)"|'(?<t1>(?:[^'\\]|\\[\s\S])*)')|(?<word>[A-Za-z_][A-Za-z_0-9]*)|(?<symbol>[0-9.]+(?:[eE][+-]?\d+)?|<>|<=|>=|!=|\|\||<<|>>|[\s\S])/y;

function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(sql); found; found = TOKEN.lastIndex < sql.length ? TOKEN.exec(sql) : null) {
    const { space, name, prefix = "", s3, t3, s1, t1, word, symbol } = found.groups!;
    const string = s3 ?? t3 ?? s1 ?? t1;
    if (space !== undefined) tokens.push({ kind: "space", text: " " });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (string !== undefined) {
      const text = /r/i.test(prefix) ? string : unescape(string);
      tokens.push({ kind: /b/i.test(prefix) ? "bytes" : "string", text });
    } else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else tokens.push({ kind: "symbol", text: symbol! });
  }
  return tokens;
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

const unescape = (text: string): string =>
  text.replace(
    /\\(?:[xuU]((?<=x)[\da-f]{2}|(?<=u)[\da-f]{4}|(?<=U)[\da-f]{8})|([\s\S]))/gi,
    (_, digits?: string, plain?: string) =>
      plain === undefined ? String.fromCodePoint(Number.parseInt(digits!, 16)) : (ESCAPES[plain] ?? plain),
  );

/** GoogleSQL's types, where DuckDB's have other names, or are not there: those are texts within a tag. */
export const TYPES: Record<string, string> = {
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

const WORDS: Record<string, string> = { SAFE_CAST: "TRY_CAST", MOD: "fmod_int", SHA256: "bq_sha256" };
/** They name what they begin: `TIMESTAMP '2026-01-01'` is a value, `GEOGRAPHY '…'` is one within its tag. */
const TAGGED = ["BIGNUMERIC", "GEOGRAPHY"];

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** `project`: what names may begin with, and then do without. */
export function toDuckdb(sql: string, project: string): string {
  const tokens = tokenize(sql);
  const meaningful = (from: number, step: 1 | -1): Token | undefined => {
    for (let i = from + step; tokens[i]; i += step) if (tokens[i]!.kind !== "space") return tokens[i];
    return undefined;
  };
  return tokens
    .map((token, i) => {
      if (token.kind === "string") {
        const before = meaningful(i, -1);
        const tag = before?.kind === "word" ? before.text.toUpperCase() : "";
        return TAGGED.includes(tag) ? `{'@${tag}': ${quoteText(token.text)}}` : quoteText(token.text);
      }
      if (token.kind === "bytes") return `${quoteText(bytesText(token.text))}::BLOB`;
      if (token.kind === "name") return nameText(token.text, project);
      if (token.kind === "symbol" && token.text === "[" && startsArray(meaningful(i, -1))) return "[";
      if (token.kind !== "word" || meaningful(i, -1)?.text === ".") return token.text;
      return wordText(token.text, meaningful(i, 1));
    })
    .join("")
    .replace(/\bFOR\s+SYSTEM_TIME\s+AS\s+OF\s+(?:TIMESTAMPTZ\s*'[^']*'|TIMESTAMPTZ_MICROS\(\d+\))/gi, "")
    .replace(/\bUNNEST\s*\((GENERATE_ARRAY\([^()]*\))\)\s+(?:AS\s+)?(\w+)/gi, "(SELECT UNNEST($1) AS $2) AS _$2")
    .replace(/\bARRAY\s*<[^<>]*>\s*\[/gi, "[");
}

const startsArray = (before: Token | undefined): boolean => before === undefined || before.kind === "symbol";

/** DuckDB's way to write bytes: all of them by their digits. */
const bytesText = (text: string): string =>
  Array.from(Buffer.from(text, "latin1"), (byte) => `\\x${byte.toString(16).padStart(2, "0").toUpperCase()}`).join("");

function nameText(name: string, project: string): string {
  const parts = (name.startsWith(`${project}.`) ? name.slice(project.length + 1) : name).split(".");
  return parts.map(quoteName).join(".");
}

function wordText(word: string, next: Token | undefined): string {
  const upper = word.toUpperCase();
  if (TAGGED.includes(upper) && next?.kind === "string") return "";
  // Functions of a type's name: `DATE(x)`, `TIMESTAMP(x)`; a type of its own never has a parenthesis, but for digits.
  if (next?.text === "(" && ["DATE", "TIMESTAMP", "DATETIME", "TIME", "STRING"].includes(upper)) return `to_${word}`;
  if (next?.text === "(" && upper === "NUMERIC") return "DECIMAL";
  if (Object.hasOwn(TYPES, upper)) return TYPES[upper]!;
  return Object.hasOwn(WORDS, upper) ? WORDS[upper]! : word;
}

/** Functions that DuckDB lacks, or has by another name or of other values. */
export const MACROS = [
  "CREATE MACRO to_date(x) AS CAST(x AS DATE)",
  "CREATE MACRO to_timestamp(x) AS CAST(x AS TIMESTAMPTZ)",
  "CREATE MACRO to_datetime(x) AS CAST(x AS TIMESTAMP)",
  "CREATE MACRO to_time(x) AS CAST(x AS TIME)",
  "CREATE MACRO to_string(x) AS CAST(x AS VARCHAR)",
  "CREATE MACRO generate_array(a, b) AS generate_series(a, b)",
  "CREATE MACRO fmod_int(a, b) AS (a % b)",
  "CREATE MACRO div(a, b) AS CAST(trunc(a / b) AS BIGINT)",
  // DuckDB's functions give digits where GoogleSQL's give bytes.
  "CREATE MACRO bq_sha256(x) AS unhex(sha256(x))",
  "CREATE MACRO to_hex(x) AS lower(hex(CAST(x AS BLOB)))",
  "CREATE MACRO from_hex(x) AS unhex(x)",
  "CREATE MACRO to_base64(x) AS base64(CAST(x AS BLOB))",
  "CREATE MACRO countif(x) AS count(*) FILTER (WHERE x)",
  "CREATE MACRO unix_micros(x) AS epoch_us(x)",
  "CREATE MACRO unix_millis(x) AS epoch_ms(x)",
  "CREATE MACRO unix_seconds(x) AS CAST(floor(epoch(x)) AS BIGINT)",
  "CREATE MACRO unix_date(x) AS date_diff('day', DATE '1970-01-01', x)",
  "CREATE MACRO timestamptz_micros(x) AS make_timestamptz(CAST(x AS BIGINT))",
  "CREATE MACRO parse_json(x) AS CAST(x AS JSON)",
  "CREATE MACRO to_json_string(x) AS CAST(to_json(x) AS VARCHAR)",
  "CREATE MACRO ieee_divide(a, b) AS CAST(a AS DOUBLE) / b",
  "CREATE MACRO array_length(x) AS len(x)",
  "CREATE MACRO byte_length(x) AS octet_length(encode(x))",
];
