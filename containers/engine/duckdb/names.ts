// DuckDB folds the case of ASCII letters alone, so that É and é are two names.

/** The folded name: names that DuckDB takes for equal fold to the same text. */
export const foldName = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export const sameName = (a: string, b: string): boolean => foldName(a) === foldName(b);
