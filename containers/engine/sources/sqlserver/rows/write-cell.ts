// The writer of a value as canonical text, and the bytes that it may take.

/** Writes the value `from[start .. end)` at `at` and returns where its text ends. */
export type WriteCell = (into: Buffer, at: number, from: Buffer, start: number, end: number) => number;

/** A cell's text has at most this many times its bytes, and this many more. */
export const GROWTH_MAX = 3;
export const ROOM_BYTES = 64;
