// Bounds of what is known beside the catalog, as one answer holds it.

export const KNOWLEDGE_LIMITS = {
  questionCharactersMax: 500,
  itemsMax: 50,
  itemsDefault: 20,
  /** Certified queries among which the likest are looked for; the oldest. */
  certifiedMax: 1_000,
  /** The likest of these are read, and shown where the caller may read what they reach. */
  candidatesMax: 60,
  /** SQL that is longer is not taken apart: reading a text takes a time that grows with its square. */
  readCharactersMax: 20_000,
} as const;
