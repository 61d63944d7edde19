// The words that statements which write to the lake begin with.

const VERBS = ["with", "insert", "update", "delete", "merge", "create", "drop", "alter", "truncate", "comment"];

export const isWriteVerb = (word: string): boolean => VERBS.includes(word.toLowerCase());

/**
 * False only of what the engine takes for a statement that reads, by its first word; a comment before that, or anything
 * else that is no letter, leaves it open.
 */
export function mayWrite(sql: string): boolean {
  const [, word] = /^\s*([a-z]+)/i.exec(sql) ?? [];
  return word === undefined || isWriteVerb(word);
}
