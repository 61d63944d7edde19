// When two names of SQL are the same.

/**
 * DuckDB and SQLite's NOCASE agree: names differ by more than the case of ASCII letters. `toLowerCase` would make one
 * of É and é, which are two to both.
 */
export const foldName = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
