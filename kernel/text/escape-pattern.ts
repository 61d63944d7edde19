// Texts within regular expressions.

/** The pattern that matches a text as it is, with or without the flag `u`. */
export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
