// Which secrets sign while a new one takes an old one's place. Pure.

/** `secrets`: the newest first, and the one before it, which is good until `previousUntil`. */
export const secretsInUse = (secrets: string[], previousUntil: string | null, now: Date): string[] =>
  previousUntil !== null && previousUntil > now.toISOString() ? secrets : secrets.slice(0, 1);
