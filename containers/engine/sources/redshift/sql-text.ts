// Values written into Redshift's SQL.

/** A string literal: a backslash escapes what follows it there. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
