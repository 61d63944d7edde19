// Values of unknown JSON are read as the lists that they should be.

/** The list that a value of JSON is; an empty one for what is none. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
