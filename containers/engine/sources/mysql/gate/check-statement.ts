// The gate before a MySQL or MariaDB server: one statement is sent, of a kind that reads. What it may not contain is
// listed in `forbidden.ts`.
//
// The read-only transaction that follows does not stop everything: in MariaDB DDL, CALL and INTO OUTFILE take effect
// inside one. The gate knows words, not grammar, and refuses what it can't tell apart, even where the server would not
// mind; an identifier that is refused goes through in backticks.

import type { Failure } from "../../../core/failure.ts";
import { FORBIDDEN_FUNCTIONS, FORBIDDEN_SHOW, FORBIDDEN_WORDS, SECRET_TABLES, SYSTEM_DATABASE } from "./forbidden.ts";
import { refused, tokenize, type Token } from "./lexer.ts";

const READING = ["SELECT", "WITH", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "TABLE", "VALUES"];
const READING_IN_PARENTHESES = ["SELECT", "WITH", "TABLE", "VALUES"];
const EXPLAINING = ["DESCRIBE", "DESC", "EXPLAIN"];

/**
 * The statement to send, without its closing semicolon, to a connection that is in `database`. Throws
 * `statement_refused`, saying what and where.
 */
export function checkMysqlStatement(sql: string, database: string): string {
  const all = tokenize(sql);
  const semicolon = all.findIndex(({ kind, text }) => kind === "symbol" && text === ";");
  const tokens = semicolon < 0 ? all : all.slice(0, semicolon);
  const rest = semicolon < 0 ? [] : all.slice(semicolon);
  const second = rest.find(({ text }) => text !== ";");
  if (second) throw refused(sql, second.at, "Only one statement can be run at a time.");
  const first = tokens[0];
  if (!first) throw refused(sql, 0, "The statement is empty.");

  checkFirstWord(sql, tokens);
  tokens.forEach((token, i) => {
    const failure =
      checkToken(sql, token, tokens[i + 1], tokens[i + 2]) ??
      checkSecret(sql, database, token, tokens[i + 1], tokens[i + 2]);
    if (failure) throw failure;
  });
  return semicolon < 0 ? sql : sql.slice(0, rest[0]!.at);
}

const isWord = (token: Token | undefined, ...texts: string[]) => token?.kind === "word" && texts.includes(token.text);
const isNamed = ({ kind, text }: Token, ...texts: string[]) =>
  (kind === "word" || kind === "name") && texts.includes(text);
/** Some servers look functions up by a collation to which an accent is nothing. */
const withoutAccents = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "");
const isSymbol = (token: Token | undefined, text: string) => token?.kind === "symbol" && token.text === text;

function checkFirstWord(sql: string, tokens: Token[]): void {
  let i = 0;
  while (isSymbol(tokens[i], "(")) i++;
  const first = tokens[i];
  if (!first || !isWord(first, ...(i === 0 ? READING : READING_IN_PARENTHESES))) {
    throw refused(sql, first?.at ?? 0, `Only statements that read are allowed: ${READING.join(", ")}.`);
  }
  if (isWord(first, ...EXPLAINING)) checkExplained(sql, tokens);
  if (isWord(first, "SHOW") && isWord(tokens[1], "EXPLAIN", "ANALYZE"))
    throw refused(sql, tokens[1]!.at, "Only your own statement can be explained.");
  const shown = [1, 2]
    .map((count) =>
      tokens
        .slice(1, 1 + count)
        .map(({ text }) => text)
        .join(" "),
    )
    .find((words) => FORBIDDEN_SHOW.test(words));
  if (isWord(first, "SHOW") && shown)
    throw refused(sql, first.at, `SHOW ${shown} is not allowed: it tells the server's secrets, not data.`);
}

/** `EXPLAIN ANALYZE` runs what it explains, so only what reads may be explained. */
function checkExplained(sql: string, tokens: Token[]): void {
  let i = 1;
  while (isWord(tokens[i], "ANALYZE", "EXTENDED", "PARTITIONS", "FORMAT")) {
    if (isWord(tokens[i], "FORMAT") && isSymbol(tokens[i + 1], "=")) i += 2;
    i++;
  }
  while (isSymbol(tokens[i], "(")) i++;
  const explained = tokens[i];
  const isTable =
    explained?.kind === "name" ||
    (explained?.kind === "word" && !["FOR", "INSERT", "REPLACE", "UPDATE", "DELETE"].includes(explained.text));
  if (!isTable)
    throw refused(sql, explained?.at ?? tokens[0]!.at, "Only statements that read, and tables, can be explained.");
}

function checkToken(
  sql: string,
  token: Token,
  next: Token | undefined,
  afterNext: Token | undefined,
): Failure | undefined {
  const { at, text } = token;
  if (token.kind === "symbol") {
    if (text === ":" && isSymbol(next, "=")) return refused(sql, at, "Variables can't be assigned.");
    if (text === "\\") return refused(sql, at, "A backslash outside quotes is not allowed.");
    return undefined;
  }
  if (
    (token.kind === "word" || token.kind === "name") &&
    isSymbol(next, "(") &&
    FORBIDDEN_FUNCTIONS.test(withoutAccents(text))
  ) {
    return refused(sql, at, `The function ${text} is not allowed.`);
  }
  if (token.kind !== "word") return undefined;
  if (Object.hasOwn(FORBIDDEN_WORDS, text))
    return refused(sql, at, `${FORBIDDEN_WORDS[text]}, which is not allowed. A column of this name needs backticks.`);
  if (text === "FOR" && isWord(next, "SHARE")) return refused(sql, at, "FOR SHARE locks rows, which is not allowed.");
  if (text === "LOCK" && isWord(next, "IN"))
    return refused(sql, at, "LOCK IN SHARE MODE locks rows, which is not allowed.");
  if (text === "PROCEDURE" && isWord(next, "ANALYSE")) return refused(sql, at, "PROCEDURE ANALYSE is not allowed.");
  if ((text === "NEXT" || text === "PREVIOUS") && isWord(next, "VALUE") && isWord(afterNext, "FOR"))
    return refused(sql, at, "Sequences can't be used.");
  if (text === "FOR" && isWord(next, "CONNECTION"))
    return refused(sql, at, "Only your own statement can be explained.");
  return undefined;
}

/**
 * In the system's own database a table needs nothing before its name, and may have a lone dot: there the name alone is
 * refused, whatever it stands for, but as a function's.
 */
function checkSecret(
  sql: string,
  database: string,
  token: Token,
  next: Token | undefined,
  afterNext: Token | undefined,
): Failure | undefined {
  const isQualified = isNamed(token, SYSTEM_DATABASE) && isSymbol(next, ".");
  const table = isQualified
    ? afterNext
    : database.toUpperCase() === SYSTEM_DATABASE && !isSymbol(next, "(")
      ? token
      : undefined;
  if (!table || !isNamed(table, ...SECRET_TABLES)) return undefined;
  return refused(
    sql,
    token.at,
    `mysql.${table.text.toLowerCase()} is not allowed: it holds the server's secrets, not data.`,
  );
}
