// Snowflake's SQL as the fake's DuckDB understands it: names folded, constants, types and a few functions rewritten.

/** A value bound to a `?`, as drivers send it. */
export type Binding = { type: string; value: string | null };

type Token = { kind: "word" | "name" | "string" | "number" | "symbol"; text: string };

const TOKEN =
  /(?<space>\s+|--[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<word>[A-Za-z_][A-Za-z0-9_$]*)|"(?<name>(?:[^"]|"")+)"|'(?<string>(?:[^'\\]|''|\\[\s\S])*)'|\$\$(?<plain>[\s\S]*?)\$\$|(?<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(?<symbol>::|=>|<=|>=|<>|!=|\|\||->|[-()[\]{},.;:+*/%=<>?^])/gy;

function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < sql.length; at = TOKEN.lastIndex) {
    const groups = TOKEN.exec(sql)?.groups;
    if (!groups) throw new Error(`the fake can't read ${JSON.stringify(sql.slice(at, at + 40))}`);
    const { word, name, string, plain, number, symbol } = groups;
    if (word !== undefined) tokens.push({ kind: "word", text: word.toUpperCase() });
    else if (name !== undefined) tokens.push({ kind: "name", text: name.replaceAll('""', '"') });
    else if (string !== undefined || plain !== undefined)
      tokens.push({ kind: "string", text: plain ?? constantOf(string!) });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol });
  }
  return tokens;
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0" };

const constantOf = (body: string): string =>
  body.replace(/''|\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_, unit, byte, letter) =>
    unit || byte ? String.fromCharCode(Number.parseInt(unit || byte, 16)) : letter ? (ESCAPES[letter] ?? letter) : "'",
  );

const TYPES: Record<string, string> = {
  NUMBER: "DECIMAL(38, 0)",
  NUMERIC: "DECIMAL(38, 0)",
  DECIMAL: "DECIMAL(38, 0)",
  INT: "DECIMAL(38, 0)",
  INTEGER: "DECIMAL(38, 0)",
  BIGINT: "DECIMAL(38, 0)",
  SMALLINT: "DECIMAL(38, 0)",
  FLOAT: "DOUBLE",
  REAL: "DOUBLE",
  STRING: "VARCHAR",
  TEXT: "VARCHAR",
  BINARY: "BLOB",
  VARBINARY: "BLOB",
  TIMESTAMP_NTZ: "TIMESTAMP",
  TIMESTAMP_LTZ: "TIMESTAMPTZ",
  TIMESTAMP_TZ: "TIMESTAMPTZ",
  DATETIME: "TIMESTAMP",
  VARIANT: "JSON",
  OBJECT: "JSON",
  GEOGRAPHY: "JSON",
};
/** Types whose numbers in parentheses DuckDB knows too. */
const MEASURED = ["NUMBER", "NUMERIC", "DECIMAL"];

/** Where a word is a type, and no column. */
const isType = (tokens: readonly Token[], i: number): boolean => {
  const before = tokens[i - 1];
  return before?.text === "::" || before?.text === "AS" || before?.kind === "name" || isColumnOfCreate(tokens, i);
};
const isColumnOfCreate = (tokens: readonly Token[], i: number): boolean =>
  /^(CREATE|ALTER)$/.test(tokens[0]?.text ?? "") && tokens[i - 1]?.kind === "word";

/** Schemas of the fake's own, in DuckDB's first database. */
const CATALOG = "memory.sf";

export function toDuckdb(sql: string, bindings: Record<string, Binding> = {}): string {
  const tokens = withoutTimeTravel(tokenize(sql));
  const parts: string[] = [];
  let bound = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const type = token.kind === "word" && isType(tokens, i) ? TYPES[token.text] : undefined;
    if (type !== undefined) {
      const hasMeasure = tokens[i + 1]?.text === "(";
      const end = hasMeasure ? closing(tokens, i + 1) : i;
      parts.push(
        hasMeasure && MEASURED.includes(token.text)
          ? `DECIMAL${tokens
              .slice(i + 1, end + 1)
              .map(({ text }) => text)
              .join("")}`
          : token.text === "TIMESTAMP_NTZ" && tokens[i + 2]?.text === "9"
            ? "TIMESTAMP_NS"
            : type,
      );
      i = end;
    } else if (token.text === "?" && token.kind === "symbol") parts.push(valueOf(bindings[String(++bound)]));
    else if (token.text === "GENERATOR" && tokens[i + 2]?.text === "ROWCOUNT") {
      // TABLE (GENERATOR (ROWCOUNT => n)), whose rows SEQ8() numbers.
      parts.splice(-2, 2, `RANGE(${tokens[i + 4]!.text})`);
      i += 6;
    } else if (token.text === "SEQ8") {
      parts.push("RANGE");
      i += 2;
    } else if (token.text === "INFORMATION_SCHEMA" && token.kind === "word") {
      // A database's name may stand before it.
      if (parts.at(-1) === ".") parts.splice(-2);
      parts.push(CATALOG);
    } else parts.push(spell(token));
  }
  return parts.join(" ");
}

function spell({ kind, text }: Token): string {
  if (kind === "name") return `"${text.replaceAll('"', '""')}"`;
  if (kind === "string") return `'${text.replaceAll("'", "''")}'`;
  return text;
}

function valueOf(binding: Binding | undefined): string {
  if (!binding) throw new Error("a ? has no value");
  const { type, value } = binding;
  if (value === null) return "NULL";
  if (type === "FIXED") return `CAST('${value}' AS DECIMAL(38, 0))`;
  if (type === "REAL") return `CAST('${value}' AS DOUBLE)`;
  if (type === "BOOLEAN") return `CAST('${value}' AS BOOLEAN)`;
  const literals = value.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`);
  return `(${literals.join(" || chr(0) || ")})`;
}

/** The fake keeps no history: what is read as of a time is read as it is. */
function withoutTimeTravel(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (
      kind === "word" &&
      (text === "AT" || text === "BEFORE") &&
      tokens[i + 1]?.text === "(" &&
      tokens[i + 3]?.text === "=>"
    )
      i = closing(tokens, i + 1);
    else kept.push(tokens[i]!);
  }
  return kept;
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (tokens[i]!.text === "(") depth++;
    else if (tokens[i]!.text === ")" && --depth === 0) return i;
  }
  throw new Error("a parenthesis is not closed");
}

/** The columns of a CREATE TABLE with the types they are declared by: what DuckDB does not keep. */
export function declaredColumns(sql: string): { table: string; columns: Map<string, string> } | undefined {
  const tokens = tokenize(sql);
  const open = tokens.findIndex(({ text }) => text === "(");
  if (tokens[0]?.text !== "CREATE" || !tokens.slice(0, open).some(({ text }) => text === "TABLE")) return undefined;
  const columns = new Map<string, string>();
  for (let i = open + 1, isFirst = true; i < closing(tokens, open); i++) {
    const { text } = tokens[i]!;
    if (isFirst) {
      const measure = tokens[i + 2]?.text === "(" ? tokens.slice(i + 2, closing(tokens, i + 2) + 1) : [];
      columns.set(text, tokens[i + 1]!.text + measure.map((token) => token.text).join(""));
    }
    if (text === "(") i = closing(tokens, i);
    isFirst = text === ",";
  }
  return { table: tokens[open - 1]!.text, columns };
}

/** Snowflake's functions that DuckDB has not, or by another name. */
export const MACROS = [
  "IFF(A, B, C) AS CASE WHEN A THEN B ELSE C END",
  "NVL(A, B) AS COALESCE(A, B)",
  "ZEROIFNULL(A) AS COALESCE(A, 0)",
  "EQUAL_NULL(A, B) AS A IS NOT DISTINCT FROM B",
  "SHA2(A) AS sha256(A), (A, B) AS sha256(A)",
  "SHA2_HEX(A) AS sha256(A), (A, B) AS sha256(A)",
  "MD5_HEX(A) AS md5(A)",
  "MD5_NUMBER_LOWER64(A) AS md5_number_lower(A)",
  "MD5_NUMBER_UPPER64(A) AS md5_number_upper(A)",
  "HEX_ENCODE(A) AS hex(A), (A, B) AS CASE WHEN B = 0 THEN lower(hex(A)) ELSE hex(A) END",
  "BASE64_ENCODE(A) AS to_base64(A)",
  "TO_BINARY(A) AS unhex(A), (A, B) AS unhex(A)",
  "TO_JSON(A) AS CAST(A AS VARCHAR)",
  "PARSE_JSON(A) AS CAST(A AS JSON)",
  "TO_DOUBLE(A) AS CAST(A AS DOUBLE)",
  "SYSDATE() AS CAST(now() AS TIMESTAMP)",
  "DATEADD(A, B, C) AS C + CASE A WHEN 'second' THEN to_seconds(B) ELSE error('the fake adds no ' || A) END",
  "BITSHIFTRIGHT(A, B) AS CAST(A AS HUGEINT) >> B",
  "OCTET_LENGTH(A) AS strlen(A)",
  "TO_NUMBER(A, B, C, D) AS CAST('0x' || A AS UBIGINT)",
  `DATE_PART(A, B) AS CASE A WHEN 'epoch_nanosecond' THEN CAST(epoch_ns(B) AS HUGEINT)
    ELSE error('the fake knows no part ' || A) END`,
  "CONVERT_TIMEZONE(A, B) AS CASE A WHEN 'UTC' THEN B ELSE error('the fake knows no zone ' || A) END",
  `TO_VARCHAR(A) AS CAST(A AS VARCHAR), (A, B) AS strftime(A, B.replace('YYYY-MM-DD', '%Y-%m-%d')
    .replace('HH24:MI:SS', '%H:%M:%S').replace('FF6', '%f').replace('FF9', '%n'))`,
  "CURRENT_VERSION() AS '9.40.1'",
  "CURRENT_ROLE() AS 'READER'",
  "CURRENT_WAREHOUSE() AS 'WAREHOUSE'",
  "IS_ROLE_IN_SESSION(A) AS A = 'READER'",
];
