// Words that are values, or make one of a text.

/** Words that stand for a value by themselves. */
export const CLOCKS = [
  "CURRENT_DATE",
  "CURRENT_TIMESTAMP",
  "LOCALTIMESTAMP",
  "CURRENT_USER",
  "CURRENT_CATALOG",
  "CURRENT_SCHEMA",
];
/** Words that, before a text, are its type. */
export const TYPES_OF_TEXTS = [
  "DATE",
  "TIMESTAMP",
  "TIME",
  "DECIMAL",
  "BIGINT",
  "INTEGER",
  "SMALLINT",
  "TINYINT",
  "DOUBLE",
  "REAL",
  "VARCHAR",
  "BOOLEAN",
  "UUID",
  "CHAR",
  "JSON",
  "IPADDRESS",
];
