// The statements of a text, and the parameters that they name. What stands within quotes or comments counts for
// neither. Pure.

/** `from` and `to` are offsets of UTF-16 in the whole text; blanks around a statement are no part of it. */
export type Statement = { from: number; to: number; text: string };

const SKIPPED =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$([A-Za-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)/g;

/** The text with everything in quotes or comments made blank, at unchanged offsets. */
export const blanked = (text: string): string => text.replace(SKIPPED, (part) => part.replace(/[^\n]/g, " "));

export function statementsOf(text: string): Statement[] {
  const code = withoutComments(text);
  const ends = [...blanked(text).matchAll(/;/g)].map(({ index }) => index);
  const statements: Statement[] = [];
  let start = 0;
  for (const end of [...ends, text.length]) {
    const part = code.slice(start, end);
    if (part.trim() !== "") {
      const from = start + (part.length - part.trimStart().length);
      const to = start + part.trimEnd().length;
      statements.push({ from, to, text: text.slice(from, to) });
    }
    start = end + 1;
  }
  return statements;
}

/** Quotes stay, comments are blank: a statement begins at its first word. */
const withoutComments = (text: string): string =>
  text.replace(SKIPPED, (part) => (/^(--|\/\*)/.test(part) ? part.replace(/[^\n]/g, " ") : part));

/** The statement in which the offset lies; between two of them it is the one before. */
export function statementAt(text: string, offset: number): Statement | undefined {
  const statements = statementsOf(text);
  return statements.findLast(({ from }) => from <= offset) ?? statements[0];
}

/** The names of `$name` in their order, each once. */
export function parameterNames(text: string): string[] {
  const names = [...blanked(text).matchAll(/(?<![\w$])\$([A-Za-z_][A-Za-z0-9_]{0,62})\b/g)].map((match) => match[1]!);
  return [...new Set(names)];
}

/** Where a character lies that the engine names by line and column, which count code points from 1. */
export function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf("\n", start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  const end = text.indexOf("\n", start);
  const characters = [...text.slice(start, end < 0 ? text.length : end)];
  return start + characters.slice(0, Math.max(0, column - 1)).join("").length;
}

/** Whether a statement is one that answers rows, so that others may be built around it. */
export const isWrappable = (sql: string): boolean => /^[\s(]*(select|with|values|from|table)\b/i.test(blanked(sql));
