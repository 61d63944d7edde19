// Bounds of what is noted of the platform's own operation.

export const OPERATION_LIMITS = {
  /** The clock ticks each minute; past this the platform was away. */
  platformAwayMs: 180_000,
} as const;
