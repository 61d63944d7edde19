// Bounds of key-value stores.

export const KV_LIMITS = { bytesMax: 1024 * 1024, perTeamMax: 1_000, bytesPerTeamMax: 64 * 1024 * 1024 } as const;
