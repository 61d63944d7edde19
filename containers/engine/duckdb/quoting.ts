// Names and texts as they are written in DuckDB's SQL.

/** An identifier, quoted. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A string literal. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
