// A run's progress as its row takes it.

/** A row takes two megabytes, and a list of runs reads many. */
const CHARACTERS_MAX = 400_000;

/**
 * Packs progress as JSON. Where many tables have much to report it is what `shorten` leaves of it, and then its first
 * tables.
 */
export function packProgress<Progress extends { tables: unknown[] }>(
  progress: Progress,
  shorten: (progress: Progress) => Progress,
): string {
  const whole = JSON.stringify(progress);
  if (whole.length <= CHARACTERS_MAX) return whole;
  const short = { ...shorten(progress) };
  while (JSON.stringify(short).length > CHARACTERS_MAX)
    short.tables = short.tables.slice(0, Math.floor(short.tables.length / 2));
  return JSON.stringify(short);
}
