// An old secret signs beside a new one for a while, as the new one takes its place. Pure.

/** `secrets`: the newest first, and the one before it, which is good until `previousUntil`. */
export const secretsInUse = (secrets: string[], previousUntil: string | null, now: Date): string[] =>
  previousUntil !== null && previousUntil > now.toISOString() ? secrets : secrets.slice(0, 1);
