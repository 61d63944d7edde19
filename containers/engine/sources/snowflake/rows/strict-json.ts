// JSON as Snowflake prints it, made JSON as its standard has it: a VARIANT may hold what JSON can't.

import { Failure } from "../../../core/failure.ts";

/** Documents past this are refused, for they take several times their bytes as strings. */
const BYTES_MAX = 32 * 1024 * 1024;

/** A string, or what stands between strings. */
const PARTS = /"(?:[^"\\]|\\.)*"|[^"]+/gs;
const WORDS: [RegExp, string][] = [
  [/\bundefined\b/g, "null"],
  [/(?<!\w)-(?:inf|Infinity)\b/gi, '"-Infinity"'],
  [/\bNaN\b/gi, '"NaN"'],
  [/(?<![\w"-])(?:inf|infinity)\b/gi, '"Infinity"'],
];

/**
 * The value on one line: `undefined` becomes null, and numbers that JSON has not become texts. A cell that is still no
 * JSON, such as XML, is a text as a whole.
 */
export function strictJson(cell: Buffer): Buffer {
  if (cell.length > BYTES_MAX)
    throw new Failure(
      "resources_exceeded",
      `A value of more than ${BYTES_MAX / 1024 / 1024} MiB is not JSON on one line. Read it as text: cast it to VARCHAR.`,
    );
  const text = cell.toString();
  const parts = text.match(PARTS) ?? [];
  const strict = parts.map((part) => (part.startsWith('"') ? part : strictWords(part))).join("");
  return Buffer.from(isJsonText(strict) ? strict : JSON.stringify(text));
}

const strictWords = (part: string): string =>
  WORDS.reduce((words, [pattern, by]) => words.replace(pattern, by), part.replace(/[\s]+/g, ""));

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
