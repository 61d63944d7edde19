// PostgreSQL's text of single values made canonical, in place: no canonical text is longer than what came.

const SPACE = 0x20, DASH = 0x2d, T = 0x54, Z = 0x5a;

/**
 * `2026-01-31 10:00:00+00` → `2026-01-31T10:00:00Z`, without the `Z` for a timestamp. `infinity` and years BC stay as
 * they are printed. Answers where the text now ends.
 */
export function stampText(bytes: Buffer, from: number, to: number, kind: "timestamp" | "timestamptz"): number {
  const first = bytes[from]!;
  // The two infinities, and the C of a closing BC.
  if (first > 0x39 || first === DASH || bytes[to - 1] === 0x43) return to;
  const space = bytes.indexOf(SPACE, from + 10);
  if (space > 0 && space < to) bytes[space] = T;
  if (kind === "timestamp") return to;
  // The session's zone is UTC: the offset is always +00.
  bytes[to - 3] = Z;
  return to - 2;
}

/** `\x6162` → base64. Answers where the text now ends. */
export function binaryText(bytes: Buffer, from: number, to: number): number {
  const decoded = Buffer.from(bytes.toString("latin1", from + 2, to), "hex");
  return from + bytes.write(decoded.toString("base64"), from, "latin1");
}

/** Line breaks in the text of a `json` column stand between tokens only: a space says the same. */
export function jsonText(bytes: Buffer, from: number, to: number): void {
  for (let i = from; i < to; i++) if (bytes[i] === 0x0a || bytes[i] === 0x0d) bytes[i] = SPACE;
}
