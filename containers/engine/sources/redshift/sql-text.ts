// Names and values in the SQL that the engine writes for Redshift.

/** A string literal: a backslash escapes what follows it there. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/** Names are small unless somebody saw to it that they are not. */
export const FOLDING = "lower";
