// Text that people write, as one line of a bounded length.

/** Characters that end or hide a line, or turn its direction: of them a subject or a name has none. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** The text as one line of so many characters (code points) at most; what is cut off is an ellipsis. */
export function oneLine(text: string, charactersMax: number): string {
  // Texts far longer than the bound are not looked through to their end: a character has two units at most.
  const line = text
    .slice(0, 8 * charactersMax)
    .replace(UNPRINTABLE, " ")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  const isWhole = characters.length <= charactersMax && text.length <= 8 * charactersMax;
  return isWhole
    ? line
    : `${characters
        .slice(0, charactersMax - 1)
        .join("")
        .trimEnd()}…`;
}
