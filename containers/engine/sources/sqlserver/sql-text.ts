// Names and texts within T-SQL of the engine's own.

export const quoteName = (name: string): string => `[${name.replaceAll("]", "]]")}]`;

export const quoteText = (text: string): string => `N'${text.replaceAll("'", "''")}'`;
