// T-SQL made DuckDB's SQL: what is written differently is exchanged word by word, what is called differently has a
// macro of its name (macros.ts). What neither knows DuckDB refuses.

import { exchangeForSyncs } from "./rewrite-syncs.ts";
import { nameOf, tokenize, type Token } from "./tokenize.ts";

export function toDuckdb(sql: string): string {
  const tokens = tokenize(sql).filter(({ kind }) => kind !== "space");
  return exchangeTop(exchangeTypes(exchangeForSyncs(tokens)))
    .map(spell)
    .join(" ");
}

function spell({ kind, text }: Token, i: number, all: readonly Token[]): string {
  switch (kind) {
    case "name":
      return `"${nameOf(text).replaceAll('"', '""')}"`;
    case "text":
      return text.replace(/^N/i, "");
    case "bytes":
      return `'${(text.slice(2).match(/../g) ?? []).map((hex) => `\\x${hex}`).join("")}'::BLOB`;
    case "variable":
      return `$${text.slice(1)}`;
    case "symbol":
      // A sum with a text is the text of both.
      return text === "+" && (all[i - 1]?.kind === "text" || all[i + 1]?.kind === "text") ? "||" : text;
    default:
      return text.toUpperCase() === "ISNULL" ? "coalesce" : text;
  }
}

const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === "word" && token.text.toUpperCase() === word;
const isSymbol = (token: Token | undefined, text: string): boolean => token?.kind === "symbol" && token.text === text;
const raw = (text: string): Token => ({ kind: "word", text });

/** Where the parenthesis closes that opens at `from`. */
function closing(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    if (isSymbol(tokens[i], "(")) depth++;
    else if (isSymbol(tokens[i], ")") && --depth === 0) return i;
  }
  throw new Error("a parenthesis is not closed");
}

/** `SELECT TOP (n)` becomes a LIMIT at the end of that query. */
function exchangeTop(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  /** By depth of parentheses: what the query there is limited to. */
  const limits: (string | undefined)[] = [undefined];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (isWord(token, "TOP")) {
      const isOpen = isSymbol(tokens[i + 1], "(");
      const end = isOpen ? closing(tokens, i + 1) : i + 1;
      limits[limits.length - 1] = tokens
        .slice(i + 1, end + 1)
        .map(spell)
        .join(" ");
      i = end;
      continue;
    }
    if (isSymbol(token, "(")) limits.push(undefined);
    if (isSymbol(token, ")")) {
      const limit = limits.pop();
      if (limit) result.push(raw(`LIMIT ${limit}`));
    }
    result.push(token);
  }
  const limit = limits.pop();
  return limit ? [...result, raw(`LIMIT ${limit}`)] : result;
}

/** `CAST(x AS type)` and `CONVERT(type, x, style)` become macros by the type's name: `tsql_cast_int(x)`. */
function exchangeTypes(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const isCast = (isWord(token, "CAST") || isWord(token, "TRY_CAST")) && isSymbol(tokens[i + 1], "(");
    const isConvert = (isWord(token, "CONVERT") || isWord(token, "TRY_CONVERT")) && isSymbol(tokens[i + 1], "(");
    if (!isCast && !isConvert) {
      result.push(token);
      continue;
    }
    const end = closing(tokens, i + 1);
    const inner = tokens.slice(i + 2, end);
    const split = isCast ? inner.findLastIndex((one) => isWord(one, "AS")) : topLevelComma(inner);
    const [type, value] = isCast
      ? [inner.slice(split + 1), inner.slice(0, split)]
      : [inner.slice(0, split), inner.slice(split + 1)];
    result.push(...castTo(type, exchangeTypes(value), isConvert));
    i = end;
  }
  return result;
}

function topLevelComma(tokens: readonly Token[]): number {
  let depth = 0;
  return tokens.findIndex((token) => {
    if (isSymbol(token, "(")) depth++;
    if (isSymbol(token, ")")) depth--;
    return depth === 0 && isSymbol(token, ",");
  });
}

/** Digits of a decimal are the type's, so it stays a cast; the rest are macros. */
function castTo(type: readonly Token[], value: readonly Token[], isConvert: boolean): Token[] {
  const name = type[0]!.text.toLowerCase();
  // DuckDB's widest number reckons on as a whole one.
  if (isWholeNumber(name, type)) return [raw("CAST"), symbol("("), ...value, raw("AS"), raw("HUGEINT"), symbol(")")];
  if (name === "decimal" || name === "numeric")
    return [raw("CAST"), symbol("("), ...value, raw("AS"), raw(type.map(({ text }) => text).join("")), symbol(")")];
  const length =
    type
      .slice(2, -1)
      .map(({ text }) => text)
      .join("") || "max";
  const isSized = /^n?(var)?char$|^(var)?binary$/.test(name);
  const size: Token[] = isSized ? [symbol(","), raw(length.toLowerCase() === "max" ? "2147483647" : length)] : [];
  const style: Token[] = isConvert && topLevelComma(value) >= 0 ? value.slice(topLevelComma(value)) : [];
  const bare = style.length > 0 ? value.slice(0, topLevelComma(value)) : value;
  return [
    raw(`tsql_${style.length > 0 ? "convert" : "cast"}_${name}`),
    symbol("("),
    ...bare,
    ...size,
    ...style,
    symbol(")"),
  ];
}

const isWholeNumber = (name: string, type: readonly Token[]): boolean =>
  name === "decimal" && Number(type[2]?.text) >= 20 && type[4]?.text === "0";

const symbol = (text: string): Token => ({ kind: "symbol", text });
