// When two names are the same.

/**
 * DuckDB and SQLite's NOCASE agree: names differ by more than the case of ASCII letters. `toLowerCase` would make one
 * of É and é, which are two to both.
 */
export const foldName = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Names that differ by case alone, in whatever script, or by the way their characters are put together, are one. By
 * capitals first: ß and SS, and the two small sigmas, have one form there only.
 */
export const foldText = (text: string): string => text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
