// The rules of the drive's paths: the specification's in its order, then ours. This file is pure.

import { DRIVE_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";

const LINE_SEPARATORS = /[\p{Zl}\p{Zp}]/u;

/**
 * Why this can be no path, or undefined. A path is what was sent, character by character: nothing is decoded, trimmed
 * or normalised. What is refused beyond the specification would name one file twice, or none, once the drive is a
 * folder.
 */
function flawOfPath(path: string): string | undefined {
  if (path.trim() === "") return "Path cannot be empty";
  if (path.includes("..") || path.startsWith("/")) return "Invalid path: path traversal is not allowed";
  if (path.includes("\\")) return "Invalid path: backslashes are not allowed";
  if ([...path].length > DRIVE_LIMITS.pathCharactersMax)
    return `Invalid path: at most ${DRIVE_LIMITS.pathCharactersMax} characters are allowed`;
  if (!path.isWellFormed() || /[\p{Cc}\p{Noncharacter_Code_Point}]/u.test(path))
    return "Invalid path: control characters are not allowed";
  // Store and runtime part lines there: the signed URL would lead nowhere.
  if (LINE_SEPARATORS.test(path)) return "Invalid path: line and paragraph separators (U+2028, U+2029) are not allowed";
  const segments = path.split("/");
  if (segments.at(-1) === "") return "Invalid path: a file's path does not end with a slash";
  if (segments.includes("")) return "Invalid path: empty segments are not allowed";
  if (segments.includes(".")) return "Invalid path: segments of one dot are not allowed";
  return undefined;
}

/** Throws `invalid_path`. */
export function requirePath(path: string, pointer = "/path"): string {
  const flaw = flawOfPath(path);
  if (flaw !== undefined) throw new Problem("invalid_path", flaw, [{ pointer, message: flaw }]);
  return path;
}

const NAME_CHARACTERS_MAX = 200;

/** A path nobody else has: `_tmp/<date>/<id>/<name>`. What can be one name stays of the hint. */
export function temporaryPath(id: string, hint: string | null | undefined, now: Date): string {
  const last = (hint ?? "").toWellFormed().split(/[/\\]/).at(-1)!;
  const name = [
    ...last
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu, "")
      .replace(/\.{2,}/g, ".")
      .trim(),
  ]
    .slice(0, NAME_CHARACTERS_MAX)
    .join("");
  return `_tmp/${now.toISOString().slice(0, 10)}/${id}/${name === "" || name === "." ? "file" : name}`;
}

const encoder = new TextEncoder();

/**
 * Below 0, 0 or above, in the order of UTF-8 bytes, which is that of the bucket and of D1. JavaScript's own is of
 * UTF-16.
 */
export function comparePaths(one: string, other: string): number {
  const [a, b] = [encoder.encode(one), encoder.encode(other)];
  for (let at = 0; at < a.length && at < b.length; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}
