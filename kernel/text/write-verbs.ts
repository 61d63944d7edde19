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
