// Bounds of secrets.

export const SECRET_LIMITS = { bytesMax: 64 * 1024, perTeamMax: 500 } as const;
