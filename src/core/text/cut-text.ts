// Text within a bound, for people to read. Pure.

/** At most so many UTF-16 code units, the last of them an ellipsis where some are left out; no character is torn. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const kept = text.slice(0, charactersMax - 1);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
