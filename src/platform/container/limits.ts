// Bounds of containers.

export const CONTAINER_LIMITS = {
  /** A container whose program does not answer within so long has not started. */
  startMs: 30_000,
} as const;
