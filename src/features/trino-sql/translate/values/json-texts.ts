// Texts of JSON in the one form that Trino keeps: without blanks, the names of an object in their order.

/** A number that both write as it stands: whole, and not so long that its digits are lost. */
const NUMBERS_ELSE = /\d[.eE]|\d{16}|-0/;
const STRINGS = /"(?:[^"\\]|\\.)*"/g;
/** Control characters, but for those that have a short form, which all write. */
export const ODD_CHARACTERS = "[\\x00-\\x07\\x0b\\x0e-\\x1f]";
/** Half a character has no form either. */
const ODD = new RegExp(`${ODD_CHARACTERS}|\\p{Surrogate}`, "u");

/** Undefined where the text is no JSON, or Trino's form of it is not known here. */
export function canonicalJson(text: string): string | undefined {
  if (NUMBERS_ELSE.test(text.replace(STRINGS, '""'))) return undefined;
  try {
    return written(JSON.parse(text));
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

export const jsonString = (text: string): string | undefined => (ODD.test(text) ? undefined : JSON.stringify(text));
