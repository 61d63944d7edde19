// Names are compared, and searched, in a folded form.

/**
 * DuckDB and SQLite's NOCASE agree: names differ by more than the case of ASCII letters. `toLowerCase` would make one
 * of É and é, which are two to both.
 */
export const foldName = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Names that differ by case alone, in whatever script, or by the way their characters are put together, are one. By way
 * of capitals, where ß is SS and both small sigmas are one; the dot that lowering İ leaves behind is dropped.
 */
export function foldText(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll("ς", "σ").replaceAll("i\u0307", "i").normalize("NFKC");
}
