// Bounds of sample data.

export const SAMPLE_LIMITS = { loadMs: 1_800_000 } as const;
