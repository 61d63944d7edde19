// The gate before BigQuery: one statement is sent, which begins with a reading word and has no word of doing outside
// quotes. `forbidden.ts` lists the words, functions and tables that no statement may contain.
//
// The gate knows words, not grammar, and refuses what is ambiguous to it; an identifier that is refused goes through in
// backticks. Nothing is sent before it agrees. BigQuery then plans the statement without running it, and
// `check-dry-run.ts` checks BigQuery's account of it.

import {
  ALLOWED_VIEWS,
  FORBIDDEN_FAMILIES,
  FORBIDDEN_FUNCTIONS,
  FORBIDDEN_WORDS,
  FUNCTION_FAMILIES,
  METADATA_SCHEMA,
  PIPE_STEPS,
} from "./forbidden.ts";
import { checkParameters, isSymbol, onlyStatement, refused } from "../../statement-tokens.ts";
import { tokenize, type Token } from "./lexer.ts";

const READING = ["SELECT", "WITH", "FROM"];

export type CheckedStatement = {
  /** To send: without its closing semicolon. */
  sql: string;
  tokens: readonly Token[];
};

/**
 * Throws `statement_refused`, saying what and where. `parameters` is the number of values bound to it, one for each
 * `?`.
 */
export function checkBigqueryStatement(sql: string, parameters = 0): CheckedStatement {
  const { tokens, end } = onlyStatement(sql, tokenize(sql));
  checkFirstWord(sql, tokens);
  checkParameters(sql, tokens, parameters);
  tokens.forEach((token, i) => {
    const message = refuseToken(tokens, i);
    if (message !== undefined) throw refused(sql, token.at, message);
  });
  return { sql: sql.slice(0, end), tokens };
}

export const isWord = (token: Token | undefined, ...capitals: string[]): boolean =>
  token?.kind === "word" && capitals.includes(token.capitals);

function checkFirstWord(sql: string, tokens: readonly Token[]): void {
  const first = tokens.find((token) => !isSymbol(token, "("));
  if (!isWord(first, ...READING))
    throw refused(sql, first?.at ?? 0, `Only statements that read are allowed: ${READING.join(", ")}.`);
}

/** Why a token is refused where it stands; undefined where it is not. */
function refuseToken(tokens: readonly Token[], i: number): string | undefined {
  const [token, next] = [tokens[i]!, tokens[i + 1]];
  // `(…).(f)()` calls a function whose name is not before the parenthesis.
  if (isSymbol(token, ".") && isSymbol(next, "(")) return "A function's name in parentheses is not allowed.";
  if (token.kind !== "word" && token.kind !== "name") return undefined;
  return (
    refuseWord(tokens, i) ??
    (isSymbol(next, "(") ? refuseCall(pathUpTo(tokens, i)) : undefined) ??
    refuseView(tokens, i)
  );
}

/** Behind a dot any word is the name of a column. */
function refuseWord(tokens: readonly Token[], i: number): string | undefined {
  const { kind, capitals } = tokens[i]!;
  if (kind !== "word" || !Object.hasOwn(FORBIDDEN_WORDS, capitals) || isSymbol(tokens[i - 1], ".")) return undefined;
  if (PIPE_STEPS.includes(capitals) && isSymbol(tokens[i - 1], ">") && isSymbol(tokens[i - 2], "|")) return undefined;
  return `${FORBIDDEN_WORDS[capitals]}, which is not allowed. A column of this name needs backticks.`;
}

/** `parts`: of the function's name, in capitals. */
function refuseCall(parts: readonly string[]): string | undefined {
  const [first = "", ...others] = parts[0] === "SAFE" && parts.length > 1 ? parts.slice(1) : parts;
  const reasons = others.length === 0 ? FORBIDDEN_FUNCTIONS : FORBIDDEN_FAMILIES;
  if (Object.hasOwn(reasons, first))
    return `The function ${[first, ...others].join(".")} is not allowed: ${reasons[first]}.`;
  if (others.length === 0 || FUNCTION_FAMILIES.includes(first)) return undefined;
  return "Functions of a dataset are not allowed: they can run code elsewhere. Write out what the function reckons.";
}

/** The parts of the path that ends with a token, in capitals; one in backticks may have several itself. */
function pathUpTo(tokens: readonly Token[], end: number): string[] {
  const parts = partsOf(tokens[end]!);
  for (let i = end - 1; isSymbol(tokens[i], ".") && /^(word|name)$/.test(tokens[i - 1]?.kind ?? ""); i -= 2)
    parts.unshift(...partsOf(tokens[i - 1]!));
  return parts.map((part) => part.toUpperCase());
}

export const partsOf = ({ kind, text }: Token): string[] => (kind === "name" ? text.split(".") : [text]);

function refuseView(tokens: readonly Token[], i: number): string | undefined {
  const before = isSymbol(tokens[i - 1], ".") && tokens[i - 2] ? partsOf(tokens[i - 2]!).slice(-1) : [];
  const parts = [...before, ...partsOf(tokens[i]!)].map((part) => part.toUpperCase());
  const view = parts[parts.lastIndexOf(METADATA_SCHEMA) + 1];
  if (!parts.includes(METADATA_SCHEMA) || view === undefined || ALLOWED_VIEWS.test(view)) return undefined;
  return `${METADATA_SCHEMA}.${view} is not allowed: it holds other people's statements or rights, not data.`;
}
