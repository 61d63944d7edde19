// Edits of a text, and the places of the edited text in the original. Pure.

/** The text takes the place of what is from `at` up to `end`, in UTF-16 code units of the original. */
export type Edit = { at: number; end: number; text: string };

/** Undefined where the edits are not in ascending order, overlap, or are beyond the text. */
export function applyEdits(original: string, edits: readonly Edit[]): string | undefined {
  let edited = "";
  let from = 0;
  for (const { at, end, text } of edits) {
    if (at < from || end < at || end > original.length) return undefined;
    edited += original.slice(from, at) + text;
    from = end;
  }
  return edited + original.slice(from);
}

/** Where a place of the edited text is in the original; within an edit, where the edit begins. */
export function originalPlace(edits: readonly Edit[], place: number): number {
  let shift = 0;
  for (const { at, end, text } of edits) {
    if (place < at + shift) break;
    if (place < at + shift + text.length) return at;
    shift += text.length - (end - at);
  }
  return place - shift;
}
