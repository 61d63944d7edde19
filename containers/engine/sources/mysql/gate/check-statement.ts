// The gate before a MySQL or MariaDB server: one statement is sent, of a kind that reads. `forbidden.ts` lists the
// words and functions that no statement may contain.
//
// The read-only transaction that follows does not stop everything: in MariaDB DDL, CALL and INTO OUTFILE take effect
// inside one. The gate knows words, not grammar, and refuses what is ambiguous to it, even where the server would not
// mind; an identifier that is refused goes through in backticks.

import { ALLOWED_SHOW, FORBIDDEN_FUNCTIONS, FORBIDDEN_PHRASES, FORBIDDEN_WORDS, SYSTEM_TABLES } from "./forbidden.ts";
import { checkParameters, isSymbol, onlyStatement, refused } from "../../statement-tokens.ts";
import { tokenize, type Token } from "./lexer.ts";

const READING = ["SELECT", "WITH", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "TABLE", "VALUES"];
const READING_IN_PARENTHESES = ["SELECT", "WITH", "TABLE", "VALUES"];
const EXPLAINING = ["DESCRIBE", "DESC", "EXPLAIN"];
/** A statement may have some hundred thousand words, and each is looked up. */
const PHRASES_BY_FIRST_WORD = Map.groupBy(FORBIDDEN_PHRASES, ({ words }) => words[0]);

/**
 * The statement to send, without its closing semicolon, to a connection that is in none of the server's own databases.
 * Throws `statement_refused`, saying what and where. `parameters` is the number of values bound to it, one for each
 * `?`.
 */
export function checkMysqlStatement(sql: string, parameters = 0): string {
  const { tokens, end } = onlyStatement(sql, tokenize(sql));
  checkFirstWord(sql, tokens);
  checkParameters(sql, tokens, parameters);
  tokens.forEach((token, i) => {
    const next = tokens[i + 1];
    const afterNext = tokens[i + 2];
    const message = refuseToken(token, next, afterNext) ?? refuseSystem(token, next, afterNext);
    if (message !== undefined) throw refused(sql, token.at, message);
  });
  return sql.slice(0, end);
}

const isWord = (token: Token | undefined, ...texts: string[]) => token?.kind === "word" && texts.includes(token.text);
/** Some servers look functions up by a collation to which an accent is nothing. */
const withoutAccents = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "");

function checkFirstWord(sql: string, tokens: readonly Token[]): void {
  let i = 0;
  while (isSymbol(tokens[i], "(")) i++;
  const first = tokens[i];
  if (!first || !isWord(first, ...(i === 0 ? READING : READING_IN_PARENTHESES))) {
    throw refused(sql, first?.at ?? 0, `Only statements that read are allowed: ${READING.join(", ")}.`);
  }
  if (isWord(first, ...EXPLAINING)) checkExplained(sql, tokens);
  if (isWord(first, "SHOW") && isWord(tokens[1], "EXPLAIN", "ANALYZE"))
    throw refused(sql, tokens[1]!.at, "Only your own statement can be explained.");
  if (isWord(first, "SHOW")) checkShow(sql, tokens);
}

function checkShow(sql: string, tokens: readonly Token[]): void {
  const shown = tokens.slice(1, 4).map(({ text }) => text);
  if (ALLOWED_SHOW.test(shown.join(" "))) return;
  const what = shown.slice(0, 2).join(" ");
  throw refused(sql, tokens[0]!.at, `SHOW ${what} is not allowed: it tells the server's secrets or state, not data.`);
}

/** `EXPLAIN ANALYZE` runs what it explains, so only what reads may be explained. */
function checkExplained(sql: string, tokens: readonly Token[]): void {
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

/** Why a token is refused before the two that follow it; undefined where it is not. */
function refuseToken(token: Token, next: Token | undefined, afterNext: Token | undefined): string | undefined {
  const { kind, text } = token;
  if (kind === "symbol") {
    if (text === ":" && isSymbol(next, "=")) return "Variables can't be assigned.";
    return text === "\\" ? "A backslash outside quotes is not allowed." : undefined;
  }
  const isCalled = (kind === "word" || kind === "name") && isSymbol(next, "(");
  if (isCalled && FORBIDDEN_FUNCTIONS.test(withoutAccents(text))) return `The function ${text} is not allowed.`;
  if (kind !== "word") return undefined;
  if (Object.hasOwn(FORBIDDEN_WORDS, text))
    return `${FORBIDDEN_WORDS[text]}, which is not allowed. A column of this name needs backticks.`;
  return PHRASES_BY_FIRST_WORD.get(text)?.find(
    ({ words: [, second, third] }) => isWord(next, second!) && (third === undefined || isWord(afterNext, third)),
  )?.message;
}

/** Why a token is refused that names one of the server's own databases, before something of it that is not listed. */
function refuseSystem(token: Token, next: Token | undefined, afterNext: Token | undefined): string | undefined {
  if ((token.kind !== "word" && token.kind !== "name") || !isSymbol(next, ".")) return undefined;
  const database = withoutAccents(token.text);
  const listed = Object.hasOwn(SYSTEM_TABLES, database) ? SYSTEM_TABLES[database]! : undefined;
  if (!listed || !afterNext || afterNext.kind === "symbol" || listed.has(afterNext.text)) return undefined;
  const what = `${database}.${afterNext.text}`.toLowerCase();
  return `${what} is not allowed: it may hold the server's secrets or state, and is not data. An alias needs another name.`;
}
