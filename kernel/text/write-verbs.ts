// The words that statements which write to the lake begin with.

const VERBS = ["with", "insert", "update", "delete", "merge", "create", "drop", "alter", "truncate", "comment"];

export const isWriteVerb = (word: string): boolean => VERBS.includes(word.toLowerCase());

/**
 * Whether a statement may write, judged by its first word. False only where the engine is sure to take it for one that
 * reads; a comment or any other character that is no letter before that word answers true.
 */
export function mayWrite(sql: string): boolean {
  const [, word] = /^\s*([a-z]+)/i.exec(sql) ?? [];
  return word === undefined || isWriteVerb(word);
}

/** White space and comments. A block comment ends at its first end, so that each text is read in one way only. */
const BEFORE_A_STATEMENT = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)*`;
const FIRST_WORD = new RegExp(`^${BEFORE_A_STATEMENT}([a-z]+)`, "i");

/** Whether a statement is sure to write, or to be refused. WITH begins statements of both kinds: the engine knows. */
export function isSureToWrite(sql: string): boolean {
  const word = FIRST_WORD.exec(sql)?.[1]?.toLowerCase();
  return word !== undefined && word !== "with" && isWriteVerb(word);
}

/** White space, parentheses and comments, none of them within another. */
const BEFORE_A_READ = String.raw`(?:[\s(]|--[^\n\r]*(?:[\n\r]|$)|/\*(?:(?!/\*|\*/)[\s\S])*\*/)*`;
const FIRST_READ_WORD = new RegExp(`^${BEFORE_A_READ}([a-z]+)`, "i");
const CHANGE_VERB = /\b(?:insert|update|delete|merge)\b/i;

/** Whether a verb that changes rows stands anywhere in a text, be it as a name. */
export const namesChange = (sql: string): boolean => CHANGE_VERB.test(sql);

/** Whether a statement is sure to read, or to be refused. False where that is not clear: a verb may follow WITH. */
export function isSureToRead(sql: string): boolean {
  const word = FIRST_READ_WORD.exec(sql)?.[1]?.toLowerCase();
  return word !== undefined && (word === "with" ? !namesChange(sql) : !isWriteVerb(word));
}
