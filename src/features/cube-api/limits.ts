// Bounds of Cube's API.

export const CUBE_API_LIMITS = {
  /** A list has so many queries: a request reads all their results at once, and a Worker has six connections open. */
  blendedQueriesMax: 5,
} as const;
