// Bounds of what Trino's SQL is told of lakes.

export const TRINO_SQL_LIMITS = {
  /** An isolate keeps the descriptions of so many columns, tables and schemas of lakes: some megabytes. */
  describedColumnsMax: 30_000,
  /** Clients of Trino are told so many comments of tables, and of columns. */
  commentsMax: 10_000,
} as const;
