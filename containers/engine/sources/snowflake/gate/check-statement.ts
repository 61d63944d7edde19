// The gate before Snowflake: one statement is sent, a SELECT, that calls only functions which are known to read nothing
// else. `forbidden.ts` lists the words that it may not contain, `functions.ts` the functions that it may call.
//
// Snowflake has no read-only transaction, so this gate is what keeps a statement from writing where the credentials'
// role may. The gate knows words, not grammar, and refuses what is ambiguous to it; an identifier that is refused goes
// through in double quotes. Comments are not sent.

import { FORBIDDEN_PHRASES, FORBIDDEN_WORDS, REFUSED_FUNCTIONS } from "./forbidden.ts";
import { FUNCTIONS, TABLE_FUNCTIONS, WORDS_BEFORE_PARENTHESES } from "./functions.ts";
import { checkParameters, isSymbol, onlyStatement, refused } from "../../statement-tokens.ts";
import { tokenize, type Token } from "./lexer.ts";
import { checkNames } from "./names.ts";
import { closingParenthesis, isIdentifier, isWord } from "./tokens.ts";

export type CheckedStatement = {
  /** The text to send: without comments and closing semicolons, characters where they were. */
  sql: string;
  tokens: readonly Token[];
};

/**
 * The statement to send to a session that is in `database`. Throws `statement_refused`, saying what and where.
 * `parameters`: how many values are bound to it, a `?` for each.
 */
export function checkSnowflakeStatement(sql: string, database: string, parameters = 0): CheckedStatement {
  const { tokens: all, text } = tokenize(sql);
  const { tokens, end } = onlyStatement(sql, all);

  const refuseAt = (i: number, message: string | undefined) => {
    if (message !== undefined) throw refused(sql, tokens[i]!.at, message);
  };
  const first = tokens.findIndex((token) => !isSymbol(token, "("));
  if (!isWord(tokens[first], "SELECT", "WITH"))
    throw refused(sql, (tokens[first] ?? tokens[0]!).at, "Only statements that read are allowed: SELECT, WITH.");
  tokens.forEach((_, i) => {
    refuseAt(i, refuseWord(tokens, i) ?? refuseCall(tokens, i) ?? refuseSign(tokens, i) ?? refuseStage(tokens, i));
  });
  checkNames(sql, tokens, database, refuseAt);
  checkParameters(sql, tokens, parameters);
  return { sql: text.slice(0, end), tokens };
}

const QUOTE_IT = "A column of this name needs double quotes.";

function refuseWord(tokens: readonly Token[], i: number): string | undefined {
  const { kind, text } = tokens[i]!;
  const next = tokens[i + 1];
  if (kind !== "word") return undefined;
  if (text.startsWith("SYSTEM$")) return "Functions of the service (SYSTEM$…) can't be called.";
  if (Object.hasOwn(FORBIDDEN_WORDS, text) && !(FUNCTIONS.has(text) && isSymbol(next, "(")))
    return `${FORBIDDEN_WORDS[text]}, which is not allowed. ${QUOTE_IT}`;
  if (text === "TABLE") return refuseTable(tokens, i);
  if (Object.hasOwn(FORBIDDEN_PHRASES, text) && isWord(next, ...FORBIDDEN_PHRASES[text]!))
    return `${text} ${next!.text} is not allowed. ${QUOTE_IT}`;
  return undefined;
}

/** A name before a parenthesis may be a call, but where it is defined there. */
function refuseCall(tokens: readonly Token[], i: number): string | undefined {
  const token = tokens[i]!;
  if (!isIdentifier(token) || !isSymbol(tokens[i + 1], "(")) return undefined;
  const { kind, text } = token;
  const previous = tokens[i - 1];
  if (isSymbol(previous, "."))
    return `The function ${text} is not known here: only Snowflake's own can be called, by their name alone.`;
  if (kind === "word" && (FUNCTIONS.has(text) || TABLE_FUNCTIONS.has(text) || WORDS_BEFORE_PARENTHESES.has(text)))
    return undefined;
  if (definesName(tokens, i)) return undefined;
  if (Object.hasOwn(REFUSED_FUNCTIONS, text)) return REFUSED_FUNCTIONS[text];
  return (
    `${text} is not among the functions that can be called: one that is defined in the database may be ` +
    "one that sends its arguments elsewhere. A view at the source may call it; an alias with columns needs AS."
  );
}

/**
 * `name (columns) AS (` of a WITH, and `AS name (columns)` of a table's alias, which only the conditions of
 * MATCH_RECOGNIZE look like.
 */
function definesName(tokens: readonly Token[], i: number): boolean {
  const close = closingParenthesis(tokens, i + 1);
  const isList = tokens.slice(i + 2, close).every((token) => isIdentifier(token) || isSymbol(token, ","));
  if (!isList) return false;
  if (isWord(tokens[close + 1], "AS") && isSymbol(tokens[close + 2], "(")) return true;
  return isWord(tokens[i - 1], "AS") && !tokens.some((token) => isWord(token, "MATCH_RECOGNIZE"));
}

/** A table by a text or a variable is one that no wall sees. */
function refuseTable(tokens: readonly Token[], i: number): string | undefined {
  const isListed = isSymbol(tokens[i + 1], "(") && isWord(tokens[i + 2], ...TABLE_FUNCTIONS);
  return isListed && isSymbol(tokens[i + 3], "(")
    ? undefined
    : `Only ${[...TABLE_FUNCTIONS].join(", ")} can be read as tables.`;
}

function refuseSign(tokens: readonly Token[], i: number): string | undefined {
  const token = tokens[i]!;
  const next = tokens[i + 1];
  if (isSymbol(token, "!") && !isSymbol(next, "=")) return "Methods of models (!) can't be called.";
  if (isSymbol(token, ":") && isSymbol(next, "=")) return "Variables can't be assigned.";
  const isKey = tokens[i - 1]?.kind === "string";
  if (isSymbol(token, ":") && next?.kind === "number" && !isKey) return "Parameters (:1) can't be used here.";
  return undefined;
}

const PLACES_OF_FILES = /^\s*(@|snow:\/\/|file:\/\/|s3:|gcs:|azure:)/i;
/** Parts of a name are no more than these in an argument that may stand before such a text. */
const NAME_PARTS_MAX = 4;

/** A stage or a file may be named by a text where a table stands; after a sign of comparison it is a text. */
function refuseStage(tokens: readonly Token[], i: number): string | undefined {
  const { kind, text } = tokens[i]!;
  if (kind !== "string" || !PLACES_OF_FILES.test(text)) return undefined;
  const previous = tokens[i - 1];
  const isNamedArgument = isSymbol(previous, ">") && isSymbol(tokens[i - 2], "=");
  const isCompared =
    (previous?.kind === "symbol" && "=<>|:".includes(previous.text) && !isNamedArgument) ||
    isWord(previous, "LIKE", "ILIKE", "RLIKE", "REGEXP", "THEN", "ELSE", "AND", "OR", "BETWEEN");
  return isCompared || isArgument(tokens, i)
    ? undefined
    : "Stages and files can't be read. Write CHR(64) || '…' for a text that begins so.";
}

/** A known function's first argument, or its second behind a name: `SPLIT_PART(email, '@', 2)`. It reads no stage. */
function isArgument(tokens: readonly Token[], i: number): boolean {
  let open = i - 1;
  if (isSymbol(tokens[open], ",")) {
    open--;
    if (!isIdentifier(tokens[open])) return false;
    for (
      let part = 1;
      part < NAME_PARTS_MAX && isSymbol(tokens[open - 1], ".") && isIdentifier(tokens[open - 2]);
      part++
    )
      open -= 2;
    open--;
  }
  const called = tokens[open - 1];
  return isSymbol(tokens[open], "(") && called?.kind === "word" && FUNCTIONS.has(called.text);
}
