// Bounds of queries; those of asynchronous ones stand in `async/limits.ts`.

export const QUERY_LIMITS = {
  leaseMs: 15_000,
  rowsMax: 100_000,
  bytesMax: 64 * 1024 * 1024,
  /** One answer of a lake's catalog about a statement that failed is waited for so long. */
  settleWriteMs: 10_000,
  /** A shorter wait is for what the catalog says of a statement that was refused, and may have been written before. */
  settleRefusedMs: 2_000,
  /** An estimate takes so long: a statement's plan, and what the lake's catalog says of its tables. */
  estimateMs: 20_000,
  /** One statement for a team's own Trino may name so many tables. */
  pinnedTablesMax: 100,
} as const;
