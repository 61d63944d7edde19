// When two names are one to DuckDB: it folds the case of ASCII letters alone, so that É and é are two names.

/** Names that are one to DuckDB fold to the same text. */
export const foldName = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export const sameName = (a: string, b: string): boolean => foldName(a) === foldName(b);
