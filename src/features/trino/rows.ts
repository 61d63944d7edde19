// Rows of a stored result as a page has them: no digit of them is read. Each is a list on a line of its own, with a
// comma behind it.

import { Problem } from "../../core/problem.ts";

const NEWLINE = 0x0a;
const BRACKET = 0x5b;
/** The bytes between a row and the next. */
export const AFTER_ROW = ",\n".length;

/** The whole rows of some bytes, and how many bytes these take; undefined where the bytes have none. */
export function wholeRows(bytes: Uint8Array): { data: Uint8Array; length: number } | undefined {
  const length = bytes.lastIndexOf(NEWLINE) + 1;
  if (length === 0) return undefined;
  // An earlier release has stored its rows in another form.
  if (bytes[0] !== BRACKET)
    throw new Problem("engine_unavailable", "The result is of an earlier release. Send the statement again.");
  return { data: bytes.subarray(0, length - AFTER_ROW), length };
}
