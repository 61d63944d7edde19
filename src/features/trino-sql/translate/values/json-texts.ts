// Texts of JSON in the one form that Trino keeps: without blanks, the names of an object in their order.

/** A number that both write as it stands: whole, and not so long that its digits are lost. */
const NUMBERS_ELSE = /\d[.eE]|\d{16}|-0/;
const STRINGS = /"(?:[^"\\]|\\.)*"/g;
/** Control characters, but for those that have a short form, which all write. */
const CONTROLS = "\\x00-\\x07\\x0b\\x0e-\\x1f";
/** Half a character has no form either. */
const ODD = new RegExp(`[${CONTROLS}]|\\p{Surrogate}`, "u");
/** DuckDB's pattern of the characters that it writes otherwise than Trino. */
export const ODD_CHARACTERS = `[${CONTROLS}\\x{10000}-\\x{10FFFF}]`;

/** Undefined where the text is no JSON, or Trino's form of it is not known here. */
export function canonicalJson(text: string): string | undefined {
  const parsed = parsedJson(text);
  // Strings are looked for in JSON alone: a quote that does not end would be looked for from each one before it.
  return !parsed || NUMBERS_ELSE.test(text.replace(STRINGS, '""')) ? undefined : written(parsed.value);
}

function parsedJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function written(value: unknown): string | undefined {
  if (typeof value === "string") return jsonString(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map(written)
    : Object.entries(value)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, each]) => joined(jsonString(name), written(each)));
  if (parts.includes(undefined)) return undefined;
  return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

const joined = (name: string | undefined, value: string | undefined): string | undefined =>
  name === undefined || value === undefined ? undefined : `${name}:${value}`;

/** Trino writes a character beyond the first 65,536 as two halves. */
export const jsonString = (text: string): string | undefined =>
  ODD.test(text) ? undefined : JSON.stringify(text).replace(/[\u{10000}-\u{10ffff}]/gu, halves);

const halves = (character: string): string =>
  character
    .split("")
    .map((half) => `\\u${half.charCodeAt(0).toString(16).toUpperCase()}`)
    .join("");
