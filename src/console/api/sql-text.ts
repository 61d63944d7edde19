// Names and texts as SQL writes them. Pure.

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The lake's table as SQL names it. */
export const lakeTableName = (schema: string, table: string): string => `LAKE.${quoteName(schema)}.${quoteName(table)}`;
