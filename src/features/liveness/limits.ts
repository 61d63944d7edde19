// Bounds of the check of a deployment's health.

export const HEALTH_LIMITS = { checkMs: 3_000, cacheMs: 30_000 } as const;
