// The gate before SQL Server: one statement is sent, of a kind that reads. `forbidden.ts` lists the words that it may
// not contain.
//
// SQL Server has no read-only transaction, and needs nothing between two statements, so no word that begins another
// kind of statement may stand anywhere outside quotes. The gate knows words, not grammar, and refuses what is ambiguous
// to it, even where the server would not mind; an identifier that is refused goes through in brackets. The statement is
// sent without comments. The role's rights bound it in any case.

import {
  FETCH_AFTER,
  FETCH_BEFORE,
  FORBIDDEN_NAMES,
  FORBIDDEN_PHRASES,
  FORBIDDEN_WORDS,
  MERGE_HINTS,
  PROCEDURE_NAMES,
} from "./forbidden.ts";
import { isSymbol, refused } from "../../statement-tokens.ts";
import { foldWord, plainLetters, tokenize, type Token } from "./lexer.ts";

/** `text`: what to send. `tokens`: of it, without semicolons. */
export type CheckedStatement = { text: string; tokens: readonly Token[] };

const COMBINING = ["UNION", "ALL", "EXCEPT", "INTERSECT"];
/** Four parts name another server. */
const NAME_DOTS_MAX = 2;
const CHARACTERS_MAX = 1_000_000;

/**
 * Throws `statement_refused`, saying what and where. `parameters`: how many values are bound to it, as `@p1`, `@p2` …
 */
export function checkSqlserverStatement(sql: string, parameters = 0): CheckedStatement {
  if (sql.length > CHARACTERS_MAX) throw refused(sql, 0, `The statement is longer than ${CHARACTERS_MAX} characters.`);
  const { text, tokens: all } = tokenize(sql);
  const first = all.findIndex((token) => !isSymbol(token, ";"));
  if (first < 0) throw refused(sql, 0, "The statement is empty.");
  const closing = all.findIndex((token, i) => i > first && isSymbol(token, ";"));
  const tokens = all.slice(first, closing < 0 ? all.length : closing);
  const second = closing < 0 ? undefined : all.slice(closing).find((token) => !isSymbol(token, ";"));
  if (second) throw refused(sql, second.at, "Only one statement can be run at a time.");

  checkFirstWord(sql, tokens);
  tokens.forEach((token, i) => {
    const message = refuseToken(tokens, i, parameters);
    if (message !== undefined) throw refused(sql, token.at, message);
  });
  checkSelects(sql, tokens);
  checkNames(sql, tokens);
  const end = tokens.at(-1)!.end;
  return { text: " ".repeat(tokens[0]!.at) + text.slice(tokens[0]!.at, end), tokens };
}

export const isWord = (token: Token | undefined, ...texts: readonly string[]): boolean =>
  token?.kind === "word" && texts.includes(token.folded);
export const isIdentifier = (token: Token | undefined): boolean => token?.kind === "word" || token?.kind === "name";

function checkFirstWord(sql: string, tokens: readonly Token[]): void {
  const i = tokens.findIndex((token) => !isSymbol(token, "("));
  if (isWord(tokens[i], "SELECT") || (i === 0 && isWord(tokens[i], "WITH"))) return;
  throw refused(sql, tokens[Math.max(i, 0)]!.at, "Only statements that read are allowed: SELECT, WITH.");
}

function refuseToken(tokens: readonly Token[], i: number, parameters: number): string | undefined {
  const token = tokens[i]!;
  if (token.kind === "symbol") return refuseSymbol(tokens, i);
  if (token.kind !== "word" && token.kind !== "name") return undefined;
  if (token.text === "") return "An identifier is empty.";
  if (FORBIDDEN_NAMES.test(plainLetters(token.folded)))
    return `${token.text} is not allowed: it reaches beyond the database's tables.`;
  if (token.kind === "name") return undefined;
  if (PROCEDURE_NAMES.test(token.folded))
    return `Procedures can't be run. A column named ${token.text} needs brackets.`;
  if (token.text.startsWith("@")) return refuseVariable(token, parameters);
  const forbidden = wordsIn(token).find((word) => Object.hasOwn(FORBIDDEN_WORDS, word));
  if (forbidden !== undefined)
    return `${FORBIDDEN_WORDS[forbidden]}, which is not allowed. A column of this name needs brackets.`;
  return refusePhrase(tokens, i);
}

function refuseSymbol(tokens: readonly Token[], i: number): string | undefined {
  if (!isSymbol(tokens[i], ":")) return undefined;
  const isPair = (at: number) =>
    isSymbol(tokens[at], ":") && isSymbol(tokens[at + 1], ":") && tokens[at]!.end === tokens[at + 1]!.at;
  // Between a key and its value in JSON_OBJECT.
  const isOfJson = tokens[i - 1]?.kind === "string";
  return isPair(i) || isPair(i - 1) || isOfJson ? undefined : "A colon is not allowed here.";
}

function refuseVariable({ text }: Token, parameters: number): string | undefined {
  if (text.startsWith("@@")) return undefined;
  const number = /^@p([1-9][0-9]{0,4})$/.exec(text)?.[1];
  if (number !== undefined && Number(number) <= parameters) return undefined;
  return "Variables can't be used here: name parameters ($name), and send their values in parameters.";
}

/** A word, and each of its parts of plain letters: a server may end a word before a character where we do not. */
const wordsIn = ({ text, folded }: Token): string[] =>
  /[^\0-\x7f]/.test(text) ? [folded, ...text.split(/[^\0-\x7f]+/).map(foldWord)] : [folded];

function refusePhrase(tokens: readonly Token[], i: number): string | undefined {
  const [before, token, next, afterNext] = [tokens[i - 1], tokens[i]!, tokens[i + 1], tokens[i + 2]];
  if (isWord(token, "MERGE") && !isWord(next, ...MERGE_HINTS))
    return "MERGE changes rows, which is not allowed. A column of this name needs brackets.";
  if (isWord(token, "FETCH") && !(isWord(before, ...FETCH_AFTER) && isWord(next, ...FETCH_BEFORE)))
    return "FETCH is allowed after OFFSET … ROWS only. A column of this name needs brackets.";
  return FORBIDDEN_PHRASES.find(
    ({ words: [first, second, third] }) =>
      isWord(token, first!) && isWord(next, second!) && (third === undefined || isWord(afterNext, third)),
  )?.message;
}

/** A second SELECT outside parentheses is a part of the first one, or the query that a WITH is for. */
function checkSelects(sql: string, tokens: readonly Token[]): void {
  let depth = 0;
  let selects = 0;
  tokens.forEach((token, i) => {
    if (isSymbol(token, "(")) depth++;
    else if (isSymbol(token, ")")) depth--;
    if (depth < 0) throw refused(sql, token.at, "A parenthesis is closed that was not opened.");
    if (depth > 0 || !isWord(token, "SELECT")) return;
    const isOfWith = selects === 0 && isWord(tokens[0], "WITH") && isSymbol(tokens[i - 1], ")");
    if (i > 0 && !isOfWith && !isWord(tokens[i - 1], ...COMBINING))
      throw refused(sql, token.at, "Only one statement can be run at a time.");
    selects++;
  });
  if (depth > 0) throw refused(sql, sql.length, "A parenthesis is not closed.");
}

function checkNames(sql: string, tokens: readonly Token[]): void {
  let dots = 0;
  tokens.forEach((token, i) => {
    if (isSymbol(token, ".")) dots++;
    else if (isIdentifier(token) && !isSymbol(tokens[i - 1], ".")) dots = 0;
    else if (!isIdentifier(token)) dots = 0;
    if (dots > NAME_DOTS_MAX)
      throw refused(sql, token.at, "A name of four parts is one of another server. Give the table an alias.");
  });
}
